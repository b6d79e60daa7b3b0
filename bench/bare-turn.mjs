// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

// The least a program can do: requests to a model server by hand over node:http, a tool call answered
// by reading the file it names. What Blitz is measured beside.

import { readFileSync } from "node:fs";

const [url, file, how] = process.argv.slice(2);
// An import reads every export of a module, and one of node:http's loads Node's own web client; "lean" doesn't.
const { request } = how === "lean" ? process.getBuiltinModule("node:http") : await import("node:http");
const agentless = { method: "POST", headers: { "content-type": "application/json", "x-api-key": "k" } };
const tools = [
  {
    name: "read_file",
    description: "Read a file.",
    input_schema: { type: "object", properties: { path: { type: "string" } } },
  },
];

function ask(messages) {
  return new Promise((resolve, reject) => {
    const body = JSON.stringify({ model: "m", max_tokens: 8192, stream: true, messages, tools });
    const sent = request(`${url}/v1/messages`, agentless, (response) => {
      let held = "";
      let text = "";
      let call;
      response.setEncoding("utf8");
      response.on("data", (chunk) => {
        held += chunk;
        for (let at = held.indexOf("\n"); at >= 0; at = held.indexOf("\n")) {
          const line = held.slice(0, at);
          held = held.slice(at + 1);
          if (!line.startsWith("data:")) continue;
          const event = JSON.parse(line.slice(5));
          if (event.type === "content_block_start" && event.content_block.type === "tool_use")
            call = { id: event.content_block.id, args: "" };
          if (event.type !== "content_block_delta") continue;
          if (event.delta.type === "text_delta") text += event.delta.text;
          else if (event.delta.type === "input_json_delta") call.args += event.delta.partial_json;
        }
      });
      response.on("end", () => resolve({ text, call }));
      response.on("error", reject);
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

const messages = [{ role: "user", content: "go" }];
for (;;) {
  const { text, call } = await ask(messages);
  if (!call) {
    process.stdout.write(`${text}\n`);
    break;
  }
  const input = JSON.parse(call.args);
  messages.push({ role: "assistant", content: [{ type: "tool_use", id: call.id, name: "read_file", input }] });
  messages.push({
    role: "user",
    content: [{ type: "tool_result", tool_use_id: call.id, content: readFileSync(file, "utf8") }],
  });
}
