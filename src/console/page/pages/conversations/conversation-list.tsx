import {
  CONVERSATION_STATES,
  type ConversationState,
} from "../../../../insight/traces/conversations/conversation-states.ts";
import type { QuestionAnswers } from "../../../operations/operations.ts";
import { useQuestion } from "../../asking/use-asked.ts";
import type { PageProps } from "../../page-props.ts";
import { Chip, type Tone } from "../../parts/chip.tsx";
import { Choice } from "../../parts/choice.tsx";
import { howToBegin } from "../../parts/how-to-begin.ts";
import { Pager } from "../../parts/pager.tsx";
import { SearchField } from "../../parts/search-field.tsx";
import { Empty, Shown } from "../../parts/states.tsx";
import { Time } from "../../parts/time.tsx";
import { listSearch, route, setQuery } from "../../routing/route.ts";

const TONES: Readonly<Record<ConversationState, Tone>> = {
  answered: "good",
  waiting: "info",
  unanswered: "bad",
  failed: "bad",
  held: "warn",
  escalated: "warn",
};

/** Short label with the state of a conversation. */
export function StateChip({ state }: { state: ConversationState }) {
  return <Chip tone={TONES[state]}>{state}</Chip>;
}

/** Lists conversations. The conversation with the latest message comes first. */
export function ConversationList({ session }: Pick<PageProps, "session">) {
  const { query, parts } = route.value;
  const state = CONVERSATION_STATES.find((one) => one === query.get("state"));
  const text = query.get("text") ?? "";
  const late = query.get("late") === "1";
  const before = Number(query.get("before") ?? "0");
  const request = {
    ...(state !== undefined && { states: [state] }),
    ...(text !== "" && { text }),
    ...(late && { late }),
    ...(before > 0 && { before }),
  };
  const answer = useQuestion(
    "conversations",
    request,
    (batch) => before === 0 && batch.runtime.length > 0,
  );
  const [, account, person] = parts;
  const open = `${account}/${person}`;
  return (
    <section class="conversations-list" aria-label="Conversations">
      <Filters state={state} late={late} />
      <Shown answer={answer}>
        {({ rows, next }) => (
          <>
            {rows.length === 0 ? (
              <Empty>
                {Object.keys(request).length === 0 && next === undefined
                  ? `Nobody has written to the bot yet. ${howToBegin(session)}`
                  : `No conversation matches${next === undefined ? "" : " here. Search further: Older"}.`}
              </Empty>
            ) : (
              <ul>
                {rows.map((row) => (
                  <ConversationRow key={row.lane} row={row} isOpen={row.lane === open} />
                ))}
              </ul>
            )}
            <Pager before={before} next={next} />
          </>
        )}
      </Shown>
    </section>
  );
}

interface ConversationRowProps {
  readonly row: QuestionAnswers["conversations"]["rows"][number];
  readonly isOpen: boolean;
}

function ConversationRow({ row, isOpen }: ConversationRowProps) {
  const { lane, account, person } = row;
  return (
    <li>
      <a
        class="conversations-row"
        href={`/conversations/${lane}${listSearch()}`}
        aria-current={isOpen ? "page" : undefined}
      >
        <span class="row">
          <strong>{person.username === undefined ? person.id : `@${person.username}`}</strong>
          <StateChip state={row.state} />
          {row.late && <Chip tone="info">came late</Chip>}
          <Time at={row.happened} />
        </span>
        <span class="conversations-said" dir="auto">
          {row.text ?? row.inWords}
        </span>
        <span class="soft">{row.outcome.reason}</span>
        {account.username !== undefined && <span class="soft">with @{account.username}</span>}
      </a>
    </li>
  );
}

interface FiltersProps {
  readonly state: ConversationState | undefined;
  readonly late: boolean;
}

function Filters({ state, late }: FiltersProps) {
  return (
    <div class="row">
      <Choice
        label="Show"
        value={state ?? ""}
        options={[["", "all"], ...CONVERSATION_STATES]}
        onChange={(word) => setQuery("state", word)}
      />
      <SearchField label="Search" name="text" size={12} />
      <label title="Received by a replay, or by reading back after an outage">
        <input
          type="checkbox"
          checked={late}
          onChange={() => setQuery("late", late ? undefined : "1")}
        />{" "}
        Only late messages
      </label>
    </div>
  );
}
