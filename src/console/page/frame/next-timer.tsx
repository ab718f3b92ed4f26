import type { ClockReading } from "../../../sandbox/control/objects.ts";
import { ask, sandbox } from "../asking/api.ts";
import type { PageProps } from "../page-props.ts";
import { notify, toast } from "../parts/toasts.tsx";

interface NextTimerProps extends PageProps {
  /** Moves the clock. Returns false if that was refused, after showing the reason. */
  readonly move: (change: object) => Promise<boolean>;
}

/**
 * Button that advances the sandbox's clock to the bot's next timer, or if the bot has no timer, to the sandbox's next
 * event.
 */
export function NextTimer({ session, move }: NextTimerProps) {
  const go = async (): Promise<void> => {
    const waits = session.hasRuntime ? await ask("nextTimer", {}) : null;
    if (waits !== null) {
      const { at, rule = "a bot module", seq } = waits;
      if (!(await move({ set: new Date(at).toISOString() }))) return;
      return toast(`The clock is at the time for which ${rule} waited, for event ${seq}.`);
    }
    const { next_due_at: set } = await sandbox.get<ClockReading>("/clock");
    if (set === undefined) return toast("Neither the bot nor the platform waits for a time.");
    if (await move({ set })) toast("No rule waits. The clock is at the platform's next due time.");
  };
  return (
    <button
      type="button"
      disabled={session.role !== "operator"}
      title="Goes to the next time for which a rule waits, or else at which the platform does something"
      onClick={() => void notify(go())}
    >
      Next timer
    </button>
  );
}
