import { POST_LENGTH } from "../../../../protocol/limits.ts";
import { weightedLength } from "../../../../protocol/public-text/length.ts";

/** Weighted characters that a public text uses, of those that a post without longform has. */
export function PostLength({ text, id }: { text: string; id: string }) {
  const used = weightedLength(text.trim());
  const isLong = used > POST_LENGTH;
  return (
    <span
      id={id}
      class={isLong ? "chat-length over" : "chat-length soft"}
      title="As the platform counts: most letters 1, Japanese and the like 2, an emoji 2, a link 23"
    >
      <span class="nowrap">
        {used} of {POST_LENGTH}
      </span>
      {isLong && <small>only as longform</small>}
    </span>
  );
}
