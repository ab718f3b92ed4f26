import type { SandboxUser } from "../../../../sandbox/control/objects.ts";
import type { QuestionAnswers } from "../../../operations/operations.ts";
import { command, sandbox } from "../../asking/api.ts";
import { type ClockNews, showClock } from "../../parts/clock.ts";
import { notify } from "../../parts/toasts.tsx";
import { useQuestion, useSandbox } from "../../asking/use-asked.ts";
import type { PageProps } from "../../page-props.ts";
import { CopyButton } from "../../parts/copy-button.tsx";
import { Shown } from "../../parts/states.tsx";
import { ActiveFaults } from "./active-faults.tsx";
import { Builder } from "./builder.tsx";
import { FiringLog } from "./firing-log.tsx";

const SKIPPED_MS = 45 * 60_000;

/** Page with the sandbox's faults: starting them by preset or form, and watching their effects. */
export function Page({ session }: PageProps) {
  const mayChange = session.role === "operator";
  const trouble = useQuestion("trouble", {}, (batch) => batch.sandbox.length > 0);
  const people = useSandbox<{ users: readonly SandboxUser[] }>("/users");
  const skip = async (): Promise<void> => {
    const moved = sandbox.post<ClockNews>("/clock", { advance_ms: SKIPPED_MS });
    const clock = await notify(moved, () => "The sandbox's clock was advanced by 45 minutes.");
    if (clock !== undefined) showClock(clock);
    trouble.again();
  };
  return (
    <main id="main" tabIndex={-1}>
      <h1>Faults</h1>
      <Shown answer={trouble}>
        {(all) => (
          <>
            <ActiveFaults trouble={all} mayChange={mayChange} onChanged={trouble.again} />
            {hasEnd(all) && (
              <p class="row">
                <button type="button" disabled={!mayChange} onClick={() => void skip()}>
                  Skip 45 min
                </button>
                <a href="/delivery">See what was missed on the page Delivery</a>
              </p>
            )}
          </>
        )}
      </Shown>
      <h2>Start one</h2>
      <Presets mayChange={mayChange} onStarted={trouble.again} />
      <div class="sides">
        <section>
          <h2>Make one</h2>
          <Shown answer={people}>
            {({ users }) => (
              <Builder
                people={users}
                baseUrl={session.sandbox?.baseUrl ?? ""}
                mayChange={mayChange}
                onAdded={trouble.again}
              />
            )}
          </Shown>
        </section>
        <section>
          <h2>What happened</h2>
          <FiringLog />
        </section>
      </div>
    </main>
  );
}

/** Returns whether any active fault or breakage ends at a set time. */
function hasEnd({ faults, breakages }: QuestionAnswers["trouble"]): boolean {
  return faults.some(({ when }) => "until" in when) || breakages.some(({ until }) => until);
}

interface PresetsProps {
  readonly mayChange: boolean;
  readonly onStarted: () => void;
}

function Presets({ mayChange, onStarted }: PresetsProps) {
  const presets = useQuestion("faultPresets", {}, (batch) =>
    batch.sandbox.some(({ type }) => type === "clock"),
  );
  const start = (name: string): void =>
    void notify(command("startPreset", { name }), ({ says }) => says).then(onStarted);
  return (
    <Shown answer={presets}>
      {(all) => (
        <ul class="faults-presets">
          {all.map((preset) => (
            <li key={preset.name} class="card">
              <h3>{preset.name}</h3>
              <p>{preset.says}</p>
              <div class="row">
                <button
                  type="button"
                  disabled={!mayChange}
                  aria-label={`Start: ${preset.name}`}
                  onClick={() => start(preset.name)}
                >
                  Start
                </button>
                <CopyButton label="Copy as command" text={preset.command} />
              </div>
            </li>
          ))}
        </ul>
      )}
    </Shown>
  );
}
