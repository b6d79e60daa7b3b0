// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** One file per contract interface: checks arguments, calls rooms, shapes answers. */
export { type ActiveAgent, createAgentsService } from "./agents.js";
export { createChangesService } from "./changes.js";
export { createContextService } from "./context.js";
export { guardOperations, joinServices } from "./join.js";
export { createModelsService, type ModelChoice } from "./models.js";
export { createPermissionsService } from "./permissions.js";
export { createRequestsService } from "./requests.js";
export { createSessionsService } from "./sessions.js";
export { createSettingsService, type SessionSettings } from "./settings.js";
export { createTurnsService } from "./turns.js";
