import { useEffect } from "preact/hooks";
import type { PendingDelivery, SandboxUser } from "../../../../sandbox/control/objects.ts";
import { sandbox } from "../../asking/api.ts";
import { notify } from "../../parts/toasts.tsx";
import type { LiveBatch } from "../../live/live.ts";
import { useSandbox } from "../../asking/use-asked.ts";
import { Chip } from "../../parts/chip.tsx";
import { Empty, Shown } from "../../parts/states.tsx";
import { duration } from "../../parts/duration.ts";
import { Time } from "../../parts/time.tsx";

const POLL_MS = 1_000;

function concerns(batch: LiveBatch): boolean {
  return batch.sandbox.some(({ type }) => ["delivery", "clock", "world"].includes(type));
}

/** Lists the deliveries that the sandbox will retry, each with a button that advances the clock to the retry. */
export function Pending({ now, mayChange }: { now: number; mayChange: boolean }) {
  const pending = useSandbox<{ deliveries: readonly PendingDelivery[] }>(
    "/deliveries/pending",
    concerns,
  );
  const people = useSandbox<{ users: readonly SandboxUser[] }>("/users", concerns);
  const isWaiting = (pending.value?.deliveries.length ?? 0) > 0;
  useEffect(() => {
    if (!isWaiting) return undefined;
    const timer = setInterval(() => pending.again(), POLL_MS);
    return () => clearInterval(timer);
  }, [isWaiting]);
  const handleOf = (id: string): string =>
    people.value?.users.find((user) => user.id === id)?.username ?? id;
  return (
    <Shown answer={pending}>
      {({ deliveries }) =>
        deliveries.length === 0 ? (
          <Empty>Nothing waits for a retry.</Empty>
        ) : (
          <ul class="delivery-gaps">
            {deliveries.map((one) => (
              <PendingRow
                key={`${one.activity_id} ${one.for_user_id}`}
                delivery={one}
                by={handleOf(one.by)}
                now={now}
                mayChange={mayChange}
              />
            ))}
          </ul>
        )
      }
    </Shown>
  );
}

interface PendingRowProps {
  readonly delivery: PendingDelivery;
  readonly by: string;
  readonly now: number;
  readonly mayChange: boolean;
}

function PendingRow({ delivery, by, now, mayChange }: PendingRowProps) {
  const { kind, attempts, retry_at: at } = delivery;
  const wait = Math.max(0, Date.parse(at) - now);
  const retryNow = (): void => {
    const advanced = sandbox.post<{ now: string }>("/clock", { advance_ms: Math.ceil(wait) + 1 });
    void notify(advanced, () => `The clock was advanced by ${duration(wait)}.`);
  };
  return (
    <li class="card row">
      <Chip tone="warn">not delivered yet</Chip>
      <span>
        {kind} by @{by}
      </span>
      <span class="soft">
        {attempts === 0
          ? "waits behind an earlier one of the same person, retried"
          : `attempt ${attempts + 1}`}{" "}
        in {duration(wait)}, at <Time at={at} />
      </span>
      <button type="button" disabled={!mayChange} onClick={retryNow}>
        Retry now
      </button>
    </li>
  );
}
