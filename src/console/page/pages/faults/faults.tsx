import type { ActiveFault, FaultSpec, SandboxUser } from "../../../../sandbox/control/objects.ts";
import { sandbox } from "../../asking/api.ts";
import { type ClockNews, platformNow, showClock } from "../../frame/clock.ts";
import { told } from "../../frame/toasts.tsx";
import { useAsked } from "../../live/use-asked.ts";
import type { PageProps } from "../../page-props.ts";
import { CopyButton } from "../../parts/copy-button.tsx";
import { Shown } from "../../parts/states.tsx";
import { ActiveFaults } from "./active-faults.tsx";
import { Builder } from "./builder.tsx";
import { FiringLog } from "./firing-log.tsx";
import { type Preset, PRESETS } from "./presets.ts";
import { commandOf } from "./wordings.ts";

const SKIPPED_MS = 45 * 60_000;

/** What goes wrong in the sandbox: started by a preset or by hand, and watched. */
export function Page({ session }: PageProps) {
  const mayChange = session.role === "operator";
  const faults = useAsked(
    async (signal) =>
      (await sandbox.get<{ faults: readonly ActiveFault[] }>("/faults", signal)).faults,
    [],
    (batch) => batch.sandbox.length > 0,
  );
  const people = useAsked(
    async (signal) =>
      (await sandbox.get<{ users: readonly SandboxUser[] }>("/users", signal)).users,
    [],
  );
  const specs = ({ faults: made }: Preset): readonly FaultSpec[] =>
    made(platformNow.value, session.sandbox?.bot?.id);
  const start = async (preset: Preset): Promise<void> => {
    const adding = Promise.all(specs(preset).map((spec) => sandbox.post("/faults", spec)));
    await told(adding, () => `${preset.name} has begun.`);
    faults.again();
  };
  const skip = async (): Promise<void> => {
    const moved = sandbox.post<ClockNews>("/clock", { advance_ms: SKIPPED_MS });
    const clock = await told(moved, () => "45 minutes of the sandbox's clock have gone by.");
    if (clock !== undefined) showClock(clock);
    faults.again();
  };
  return (
    <main id="main" tabIndex={-1}>
      <h1>Faults</h1>
      <Shown asked={faults}>
        {(all) => (
          <>
            <ActiveFaults faults={all} mayChange={mayChange} onChanged={faults.again} />
            {all.some(({ when }) => "until" in when) && (
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
      <ul class="faults-presets">
        {PRESETS.map((preset) => (
          <li key={preset.name} class="card">
            <h3>{preset.name}</h3>
            <p>{preset.says}</p>
            <div class="row">
              <button
                type="button"
                disabled={!mayChange}
                aria-label={`Start: ${preset.name}`}
                onClick={() => void start(preset)}
              >
                Start
              </button>
              <CopyButton
                label="Copy as command"
                text={() => specs(preset).map(commandOf).join("\n")}
              />
            </div>
          </li>
        ))}
      </ul>
      <div class="sides">
        <section>
          <h2>Make one</h2>
          <Shown asked={people}>
            {(users) => (
              <Builder
                people={users}
                baseUrl={session.sandbox?.baseUrl ?? ""}
                mayChange={mayChange}
                onAdded={faults.again}
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
