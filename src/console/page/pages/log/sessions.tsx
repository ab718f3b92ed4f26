import { command } from "../../asking/api.ts";
import { notify } from "../../parts/toasts.tsx";
import { useQuestion } from "../../asking/use-asked.ts";
import { Chip } from "../../parts/chip.tsx";
import { Shown } from "../../parts/states.tsx";
import { Time } from "../../parts/time.tsx";

/** Lists the signed-in browsers, with buttons that sign them out. */
export function Sessions({ own }: { own: string }) {
  const answer = useQuestion("consoleSessions", {});
  const end = async (request: { id: string } | { all: true }): Promise<void> => {
    await notify(command("endSessions", request));
    answer.again();
  };
  return (
    <section aria-label="Signed-in browsers">
      <h2>Signed-in browsers</h2>
      <Shown answer={answer}>
        {(sessions) => (
          <ul>
            {sessions.map(({ id, role, host, browser, since }) => (
              <li key={id}>
                {id === own && <Chip tone="info">this one</Chip>} {role} at {host} since{" "}
                <Time at={since} withDate clock="machine" />{" "}
                <button type="button" class="quiet" onClick={() => void end({ id })}>
                  Sign it out
                </button>
                <div class="soft">{browser}</div>
              </li>
            ))}
          </ul>
        )}
      </Shown>
      <button type="button" onClick={() => void end({ all: true })}>
        Sign all out
      </button>
    </section>
  );
}
