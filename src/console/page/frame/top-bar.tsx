import { useState } from "preact/hooks";
import { Form } from "../parts/form.tsx";
import type { ActiveFault } from "../../../sandbox/control/objects.ts";
import { sandbox, unlock } from "../asking/api.ts";
import { connection, useLive } from "../live/live.ts";
import { useAsked, useSandbox } from "../asking/use-asked.ts";
import { Chip } from "../parts/chip.tsx";
import { isOver } from "../parts/fault-over.ts";
import { duration } from "../parts/duration.ts";
import { Time } from "../parts/time.tsx";
import {
  clockDifference,
  clockOffset,
  type ClockNews,
  followClock,
  isFrozen,
  platformNow,
  readClock,
  showClock,
} from "../parts/clock.ts";
import type { PageProps } from "../page-props.ts";
import { openDialog } from "./keys.ts";
import { NextTimer } from "./next-timer.tsx";
import { Snapshots } from "./snapshots.tsx";
import { Speed } from "./speed.tsx";
import { notify } from "../parts/toasts.tsx";
import { counted } from "../../../text/counted.ts";

/** Bar above every page: clock and random seed of the sandbox, active faults, snapshots, and the connection's state. */
export function TopBar({ session }: PageProps) {
  return (
    <header class="top">
      <a class="brand" href="/">
        Answerback
      </a>
      <span class={`target ${session.target}`}>
        {session.target === "sandbox" ? "Sandbox" : "Live platform"}
      </span>
      {session.sandbox !== undefined && <SandboxControls session={session} />}
      <span class="gap" />
      <button
        type="button"
        aria-keyshortcuts="Control+K"
        onClick={() => (openDialog.value = "search")}
      >
        Search
      </button>
      <button
        type="button"
        aria-keyshortcuts="?"
        aria-label="Keyboard shortcuts"
        onClick={() => (openDialog.value = "shortcuts")}
      >
        ?
      </button>
      {session.role === "reader" &&
        (session.canUnlock ? (
          <Unlock />
        ) : (
          <span class="soft" title="Allows you to change things here">
            Read only: the settings have no console.admin_token
          </span>
        ))}
      <ConnectionSign />
    </header>
  );
}

const STEPS = [
  { label: "+10 s", ms: 10_000 },
  { label: "+15 min", ms: 900_000 },
  { label: "+1 h", ms: 3_600_000 },
] as const;

function SandboxControls({ session }: PageProps) {
  const mayChange = session.role === "operator";
  useLive(({ sandbox: items }) => followClock(items));
  useAsked(readClock, []);
  const faults = useSandbox<{ faults: readonly ActiveFault[] }>("/faults", (batch) =>
    batch.sandbox.some(({ type }) => type.startsWith("fault")),
  );
  const move = async (change: object): Promise<boolean> => {
    const state = await notify(sandbox.post<ClockNews>("/clock", change));
    if (state !== undefined) showClock(state);
    return state !== undefined;
  };
  const active = (faults.value?.faults ?? []).filter(
    (one) => !isOver(one, platformNow.value),
  ).length;
  return (
    <>
      <span class="clock" role="group" aria-label="The sandbox's clock">
        <Time at={platformNow.value} withDate />
        <ClockDifference />
        <button
          type="button"
          disabled={!mayChange}
          aria-label={isFrozen.value ? "Resume clock" : "Pause clock"}
          onClick={() => void move({ frozen: !isFrozen.value })}
        >
          {isFrozen.value ? "Resume" : "Pause"}
        </button>
        {STEPS.map(({ label, ms }) => (
          <button
            key={label}
            type="button"
            disabled={!mayChange}
            onClick={() => void move({ advance_ms: ms })}
          >
            {label}
          </button>
        ))}
        <Speed mayChange={mayChange} />
        <NextTimer session={session} move={move} />
      </span>
      {active > 0 && (
        <a href="/faults" title="Faults that are active">
          <Chip tone="warn">{counted(active, "fault")}</Chip>
        </a>
      )}
      <Snapshots mayChange={mayChange} />
    </>
  );
}

/** Shows by how much the platform's clock differs from this machine's clock, if it does. */
function ClockDifference() {
  const difference = clockDifference.value;
  if (difference === undefined) return null;
  const title = `Times on all pages are by the sandbox's clock, ${difference}`;
  return (
    <span class="soft offset" role="note" aria-label={title} title={title}>
      {clockOffset.value > 0 ? "+" : "−"}
      {duration(Math.abs(clockOffset.value))}
    </span>
  );
}

function ConnectionSign() {
  const { state } = connection.value;
  if (state === "live") return <Chip tone="good">connected</Chip>;
  return <Chip tone={state === "away" ? "bad" : "idle"}>{state}</Chip>;
}

function Unlock() {
  const [isOpen, open] = useState(false);
  const [token, setToken] = useState("");
  if (!isOpen) {
    return (
      <button type="button" class="quiet" onClick={() => open(true)}>
        Read only · unlock
      </button>
    );
  }
  return (
    <Form class="unlock" onSubmit={() => void notify(unlock(token))}>
      <label>
        Admin token{" "}
        <input
          type="password"
          value={token}
          autoComplete="off"
          onInput={({ currentTarget }) => setToken(currentTarget.value)}
        />
      </label>
      <button type="submit">Unlock</button>
    </Form>
  );
}
