// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import path from "node:path";
import { commandOf, type ServiceProgram } from "./service-program.js";

/** The label of the launch agent. */
export const LAUNCHD_LABEL = "dev.blitz.service";

/**
 * The launch agent of macOS: started at login, again only after a failure (SVC-50).
 *
 * @param logFile - gets what the service prints; absolute
 */
export function launchdPlist(service: ServiceProgram, logFile: string): string {
  const words = commandOf(service, path.posix.isAbsolute).map((word) => `\t\t<string>${escapeXml(word)}</string>`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
	<key>Label</key>
	<string>${LAUNCHD_LABEL}</string>
	<key>ProgramArguments</key>
	<array>
${words.join("\n")}
	</array>
	<key>RunAtLoad</key>
	<true/>
	<key>KeepAlive</key>
	<dict>
		<key>SuccessfulExit</key>
		<false/>
	</dict>
	<key>StandardOutPath</key>
	<string>${escapeXml(logFile)}</string>
	<key>StandardErrorPath</key>
	<string>${escapeXml(logFile)}</string>
</dict>
</plist>
`;
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
