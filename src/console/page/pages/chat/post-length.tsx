import { useEffect, useState } from "preact/hooks";
import { POST_LENGTH } from "../../../../protocol/limits.ts";
import { notify } from "../../parts/toasts.tsx";

type Weighing = typeof import("../../../../protocol/public-text/length.ts").weightedLength;

/**
 * Shows a post's length as the platform counts it, and the limit for accounts without long posts. The list of top-level
 * domains, which finds links, is large and is loaded with the first post.
 */
export function PostLength({ text, id }: { text: string; id: string }) {
  const [weigh, setWeigh] = useState<Weighing>();
  useEffect(() => {
    const load = import("../../../../protocol/public-text/length.ts");
    void notify(load.then(({ weightedLength }) => setWeigh(() => weightedLength)));
  }, []);
  if (weigh === undefined) return null;
  const used = weigh(text.trim());
  const isLong = used > POST_LENGTH;
  return (
    <span
      id={id}
      class={isLong ? "chat-length too-long" : "chat-length soft"}
      title="As the platform counts: most letters 1, Japanese and the like 2, an emoji 2, a link 23"
    >
      <span class="nowrap">
        {used} of {POST_LENGTH}
      </span>
      {isLong && <small>only as longform</small>}
    </span>
  );
}
