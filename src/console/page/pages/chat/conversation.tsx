import { useEffect, useRef } from "preact/hooks";
import type { SandboxActivity } from "../../../../sandbox/control/objects.ts";
import { useQuestion } from "../../asking/use-asked.ts";
import { Chip, type Tone } from "../../parts/chip.tsx";
import { Time } from "../../parts/time.tsx";
import { route, setQuery } from "../../routing/route.ts";
import { type CastMember, deedInWords, threadOf } from "./thread.ts";

interface ConversationProps {
  readonly person: CastMember;
  /** Whether the message form of the page writes as this person. */
  readonly speaks: boolean;
  readonly bot: { readonly id: string; readonly username: string };
  readonly happenings: readonly SandboxActivity[];
  /** Makes this post the target of the next action in the message form. */
  readonly answerTo: (post: SandboxActivity) => void;
  /** Creates a new person, who repeats all actions of this person up to this activity. */
  readonly restartFrom: (one: SandboxActivity) => void;
}

/** Shows the conversation of a person with the bot, including answers that are still to be sent. */
export function Conversation({ person, speaks, bot, happenings, ...acts }: ConversationProps) {
  const thread = threadOf(happenings, person.id, bot.id);
  const lane = `${bot.id}/${person.id}`;
  const items = useQuestion("outbox", { account: bot.id, lane, limit: 100 }, (batch) =>
    batch.runtime.some(({ data }) => "lane" in data && data.lane === lane),
  );
  const seqOf = (ref: string | undefined): number | undefined =>
    items.value?.find(({ platformId }) => platformId !== undefined && platformId === ref)?.seq;
  const waiting = (items.value ?? []).filter(({ status }) => status !== "sent").toReversed();
  const end = useRef<HTMLLIElement>(null);
  const scrolls = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const list = scrolls.current;
    if (list !== null) list.scrollTop = list.scrollHeight;
  }, [thread.length, waiting.length]);
  return (
    <section
      class={`chat-column card${speaks ? " speaks" : ""}`}
      aria-label={`Conversation of @${person.username}`}
    >
      <h2>@{person.username}</h2>
      <ol ref={scrolls} tabIndex={0} aria-label={`What @${person.username} and the bot said`}>
        {thread.length === 0 && (
          <li class="soft">Nothing yet. Write a message below, or choose a suggestion.</li>
        )}
        {thread.map((one) => (
          <Entry
            key={one.id}
            one={one}
            isBots={one.by === bot.id}
            handle={one.by === bot.id ? bot.username : person.username}
            seq={one.by === bot.id ? seqOf(one.ref) : undefined}
            {...acts}
          />
        ))}
        {waiting.map(({ id, seq, status, action, reason }) => (
          <li key={`item ${id}`} class="chat-entry bots">
            <a class="chat-bubble waiting" href={`/traces/${seq}`}>
              <span dir="auto">{"text" in action ? action.text : action.type}</span>
              <small>
                <Chip tone={TONES[status] ?? "idle"}>{status}</Chip> {reason}
              </small>
            </a>
          </li>
        ))}
        <li ref={end} aria-hidden="true" />
      </ol>
    </section>
  );
}

const TONES: Readonly<Record<string, Tone>> = {
  pending: "info",
  sending: "info",
  held: "warn",
  unknown: "warn",
  failed: "bad",
  expired: "bad",
};

interface EntryProps extends Pick<ConversationProps, "answerTo" | "restartFrom"> {
  readonly one: SandboxActivity;
  readonly isBots: boolean;
  readonly handle: string;
  /** Journal number of the event that this entry of the bot answers. */
  readonly seq: number | undefined;
}

function Entry({ one, isBots, handle, seq, answerTo, restartFrom }: EntryProps) {
  const { kind, text, at, id } = one;
  const isSelected = route.value.query.get("event") === id;
  const isSaid = kind === "message" || kind === "post";
  const words = isSaid
    ? (text ?? "a deleted post")
    : `@${handle} ${deedInWords(one)}${isBots ? "" : " the bot"}`;
  const foot = (
    <small>
      {kind === "post" && "post · "}
      <Time at={at} />
    </small>
  );
  const look = `chat-bubble${isSaid ? "" : " deed"}`;
  return (
    <li class={`chat-entry appears ${isBots ? "bots" : "persons"}`}>
      {isBots && seq !== undefined ? (
        <a class={look} href={`/traces/${seq}`} title="Open the trace of this answer">
          <span dir="auto">{words}</span>
          {foot}
        </a>
      ) : isBots ? (
        <div class={look}>
          <span dir="auto">{words}</span>
          {foot}
        </div>
      ) : (
        <button
          type="button"
          class={look}
          aria-pressed={isSelected}
          onClick={() => setQuery("event", isSelected ? undefined : id)}
        >
          <span dir="auto">{words}</span>
          {foot}
        </button>
      )}
      {isSelected && !isBots && (
        <button type="button" class="quiet" onClick={() => restartFrom(one)}>
          Restart from here
        </button>
      )}
      {isBots && kind === "post" && (
        <button type="button" class="quiet" onClick={() => answerTo(one)}>
          Reply to this post
        </button>
      )}
    </li>
  );
}
