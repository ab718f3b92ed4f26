import { ask, command } from "../../asking/api.ts";
import { told } from "../../parts/toasts.tsx";
import { useAsked } from "../../asking/use-asked.ts";
import { CopyButton } from "../../parts/copy-button.tsx";
import { Shown } from "../../parts/states.tsx";
import { Time } from "../../parts/time.tsx";
import { StatusChip } from "./item-rows.tsx";

interface DetailsProps {
  readonly id: number;
  readonly mayChange: boolean;
  readonly onChanged: () => void;
}

/** Everything of one item, and what can be done about it. */
export function ItemDetails({ id, mayChange, onChanged }: DetailsProps) {
  const asked = useAsked(
    (signal) => ask("outboxItems", { id, limit: 1 }, signal),
    [id],
    (batch) => batch.runtime.some(({ type }) => type === "item-settled"),
  );
  const change = async (doing: ReturnType<typeof command<"retryItem">>): Promise<void> => {
    await told(doing, (done) =>
      done.done ? `Item ${id} was ${done.from} and is ${done.to}.` : `${done.reason}: ${done.hint}`,
    );
    asked.again();
    onChanged();
  };
  return (
    <section class="card outbox-item" aria-label={`Item ${id}`}>
      <Shown asked={asked}>
        {([item]) => {
          if (item === undefined) return <p>There is no item {id}.</p>;
          const isOpen = item.status === "pending" || item.status === "held";
          const canRetry = isOpen || item.status === "failed" || item.status === "expired";
          return (
            <>
              <div class="row">
                <h2>Item {id}</h2>
                <StatusChip {...item} />
                <a href="/outbox">Close</a>
              </div>
              <p>{item.inWords}</p>
              <dl class="facts">
                <dt>Does</dt>
                <dd class="mono">{item.action.type}</dd>
                {item.reason !== undefined && (
                  <>
                    <dt>Why</dt>
                    <dd>{item.reason}</dd>
                  </>
                )}
                <dt>Asked for by</dt>
                <dd>
                  <a href={`/traces/${item.seq}`}>
                    {item.run.replace(/^\d+\/(\w+):/, "$1 ")}, event {item.seq}
                  </a>
                </dd>
                <dt>Tries</dt>
                <dd>{item.attempts}</dd>
                <dt>Not before</dt>
                <dd>
                  <Time at={item.notBefore} withDate />
                </dd>
                <dt>On the platform</dt>
                <dd class="mono">{item.platformId ?? "–"}</dd>
              </dl>
              <div class="row">
                {canRetry && (
                  <button
                    type="button"
                    class="go"
                    disabled={!mayChange}
                    onClick={() => void change(command("retryItem", { id }))}
                  >
                    Send now
                  </button>
                )}
                {isOpen && (
                  <button
                    type="button"
                    class="danger"
                    disabled={!mayChange}
                    onClick={() => void change(command("dropItem", { id }))}
                  >
                    Never send
                  </button>
                )}
                {item.status === "unknown" && (
                  <>
                    <p class="soft">
                      It is looked up on the platform by itself. Where that can't tell:
                    </p>
                    <button
                      type="button"
                      disabled={!mayChange}
                      onClick={() => void change(command("settleItem", { id, as: "sent" }))}
                    >
                      It has arrived
                    </button>
                    <button
                      type="button"
                      disabled={!mayChange}
                      onClick={() => void change(command("settleItem", { id, as: "failed" }))}
                    >
                      It has not
                    </button>
                    <button
                      type="button"
                      class="danger"
                      disabled={!mayChange}
                      onClick={() => void change(command("retryItem", { id, anyway: true }))}
                    >
                      Send again, perhaps twice
                    </button>
                  </>
                )}
                <CopyButton label="Copy as JSON" text={() => JSON.stringify(item, null, 2)} />
              </div>
            </>
          );
        }}
      </Shown>
    </section>
  );
}
