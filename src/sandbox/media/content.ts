import type { SandboxWorld } from "../kernel/world/sandbox-world.ts";
import { type MediaContentRow, mediaContents, type MediaRow } from "../model/media.ts";

/** Maximum number of bytes that the contents of all media have together. Older contents are dropped first. */
const MAX_BYTES = 32 * 1024 * 1024;
/** Maximum number of stored segments. */
const MAX_SEGMENTS = 1_000;

/** Stores the bytes of one segment of a medium, so that the medium can be downloaded. */
export function storeContent(
  world: SandboxWorld,
  mediaId: string,
  segment: number,
  bytes: Buffer,
): void {
  const table = mediaContents.in(world);
  table.put({ id: `${mediaId}:${segment}`, mediaId, segment, base64: bytes.toString("base64") });
  const rows = [...table.all()];
  let total = rows.reduce((sum, row) => sum + bytesOf(row), 0);
  let count = rows.length;
  for (const { mediaId: oldest } of rows) {
    if (total <= MAX_BYTES && count <= MAX_SEGMENTS) return;
    for (const row of table.where("medium", oldest)) {
      table.delete(row.id);
      total -= bytesOf(row);
      count -= 1;
    }
  }
}

/** Returns the uploaded bytes of a medium; `undefined` if they were dropped to make room for newer media. */
export function contentOf(world: SandboxWorld, medium: MediaRow): Buffer | undefined {
  const segments = [...mediaContents.in(world).where("medium", medium.id)];
  segments.sort((a, b) => a.segment - b.segment);
  const bytes = Buffer.concat(segments.map(({ base64 }) => Buffer.from(base64, "base64")));
  return bytes.length === medium.bytes ? bytes : undefined;
}

function bytesOf({ base64 }: MediaContentRow): number {
  return Buffer.byteLength(base64, "base64");
}
