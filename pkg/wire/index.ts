// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/**
 * The contract's values as messages of the service's API, and back: used by the service and its client alike, so
 * that what one sends the other reads (PRT-07). It decides nothing and calls nobody.
 */
export { answerFromWire, answerToWire, decisionFromWire, decisionToWire } from "./answer.js";
export { backgroundRunFromWire, backgroundRunToWire } from "./background-run.js";
export { errorFromConnect, errorInfoFromWire, errorInfoToWire, errorToConnect, isConnectionLost } from "./error.js";
export { liveEventFromWire, liveEventToWire } from "./live-event.js";
export { requestFromWire, requestToWire } from "./request.js";
export { sessionInfoFromWire, sessionInfoToWire } from "./session-info.js";
export { textsToWire, textToWire } from "./text.js";
export { dateFromWire, dateToWire, requiredDate } from "./time.js";
export { turnFromWire, turnToWire } from "./turn.js";
export { turnStateFromWire, turnStateToWire } from "./turn-state.js";
export { usageFromWire, usageToWire } from "./usage.js";
export {
  agentInfoFromWire,
  agentInfoToWire,
  checkpointFromWire,
  checkpointToWire,
  permissionRuleFromWire,
  permissionRuleToWire,
} from "./workspace-values.js";
