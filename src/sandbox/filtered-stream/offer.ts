import type { Sandbox } from "../kernel/sandbox.ts";
import type { PostRow } from "../posts/entities.ts";

/** What the filtered stream is called among open streams. */
export const FILTERED = "filtered";

/** Shows a new post to the filtered streams that are open. */
export function offerPost({ streams }: Sandbox, { id }: PostRow): void {
  streams.offer(FILTERED, id);
}
