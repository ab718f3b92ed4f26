import type { QuestionAnswers } from "../../../operations/operations.ts";
import { command } from "../../asking/api.ts";
import { notify } from "../../parts/toasts.tsx";
import { useQuestion } from "../../asking/use-asked.ts";
import { CopyButton } from "../../parts/copy-button.tsx";
import { Shown } from "../../parts/states.tsx";
import { Time } from "../../parts/time.tsx";
import { type ItemCommand, UnknownItem } from "./unknown-item.tsx";
import { StatusChip } from "./item-rows.tsx";

interface DetailsProps {
  readonly id: number;
  readonly mayChange: boolean;
  readonly onChanged: () => void;
}

/** Shows all details of an outbox item, with buttons for an operator to change its state. */
export function ItemDetails({ id, mayChange, onChanged }: DetailsProps) {
  const answer = useQuestion("outboxItems", { id, limit: 1 }, (batch) =>
    batch.runtime.some(({ type }) => type === "item-settled"),
  );
  const change = async (doing: ItemCommand): Promise<void> => {
    await notify(doing, (done) =>
      done.done ? `Item ${id} was ${done.from} and is ${done.to}.` : `${done.reason}: ${done.hint}`,
    );
    answer.again();
    onChanged();
  };
  return (
    <section class="card outbox-item" aria-label={`Item ${id}`}>
      <Shown answer={answer}>
        {([item]) =>
          item === undefined ? (
            <p>There is no item {id}.</p>
          ) : (
            <>
              <div class="row">
                <h2>Item {id}</h2>
                <StatusChip {...item} />
                <a href="/outbox">Close</a>
              </div>
              <p>{item.inWords}</p>
              <ItemFacts item={item} />
              <div class="row">
                <ItemActions
                  item={item}
                  mayChange={mayChange}
                  change={(doing) => void change(doing)}
                />
                <CopyButton label="Copy as JSON" text={() => JSON.stringify(item, null, 2)} />
              </div>
            </>
          )
        }
      </Shown>
    </section>
  );
}

type Item = QuestionAnswers["outboxItems"][number];

function ItemFacts({ item }: { item: Item }) {
  return (
    <dl class="facts">
      <dt>Action</dt>
      <dd class="mono">{item.action.type}</dd>
      {item.reason !== undefined && (
        <>
          <dt>Why</dt>
          <dd>{item.reason}</dd>
        </>
      )}
      <dt>Caused by</dt>
      <dd>
        <a href={`/traces/${item.seq}`}>
          {item.run.replace(/^\d+\/(\w+):/, "$1 ")}, event {item.seq}
        </a>
      </dd>
      <dt>Attempts</dt>
      <dd>{item.attempts}</dd>
      <dt>Not before</dt>
      <dd>
        <Time at={item.notBefore} withDate />
      </dd>
      <dt>On the platform</dt>
      <dd class="mono">{item.platformId ?? "–"}</dd>
    </dl>
  );
}

interface ItemActionsProps {
  readonly item: Item;
  readonly mayChange: boolean;
  readonly change: (doing: ItemCommand) => void;
}

/** Buttons for an outbox item that is not sent yet, or has failed. */
function ItemActions({ item: { id, status }, mayChange, change }: ItemActionsProps) {
  const isOpen = status === "pending" || status === "held";
  const button = (label: string, look: string, doing: () => ItemCommand) => (
    <button type="button" class={look} disabled={!mayChange} onClick={() => change(doing())}>
      {label}
    </button>
  );
  if (status === "unknown") {
    return (
      <>
        <p class="soft">The bot looks it up on the platform by itself. If that gives no result:</p>
        <UnknownItem {...{ id, mayChange, change }} />
      </>
    );
  }
  return (
    <>
      {(isOpen || status === "failed" || status === "expired") &&
        button("Send now", "go", () => command("retryItem", { id }))}
      {isOpen && button("Never send", "danger", () => command("dropItem", { id }))}
    </>
  );
}
