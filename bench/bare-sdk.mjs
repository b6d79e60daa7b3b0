// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

// One streamed turn through the provider's own SDK and nothing else.

import Anthropic from "@anthropic-ai/sdk";

const client = new Anthropic({ apiKey: "k", baseURL: process.argv[2], maxRetries: 0 });
const stream = await client.beta.messages.create({
  model: "m",
  max_tokens: 8192,
  stream: true,
  messages: [{ role: "user", content: "go" }],
});
let text = "";
for await (const event of stream)
  if (event.type === "content_block_delta" && event.delta.type === "text_delta") text += event.delta.text;
process.stdout.write(`${text.length}\n`);
