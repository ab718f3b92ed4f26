import { ask, command } from "../../asking/api.ts";
import { told } from "../../frame/toasts.tsx";
import { useAsked } from "../../live/use-asked.ts";
import { Chip } from "../../parts/chip.tsx";
import { Shown } from "../../parts/states.tsx";
import { Time } from "../../parts/time.tsx";

/** Browsers that are signed in, and buttons that sign them out. @param own Id of this browser's session. */
export function Sessions({ own }: { own: string }) {
  const asked = useAsked((signal) => ask("consoleSessions", {}, signal), []);
  const end = async (request: { id: string } | { all: true }): Promise<void> => {
    await told(command("endSessions", request));
    asked.again();
  };
  return (
    <section class="card" aria-label="Signed-in browsers">
      <h2>Signed-in browsers</h2>
      <Shown asked={asked}>
        {(sessions) => (
          <>
            <table>
              <thead>
                <tr>
                  <th scope="col">Browser</th>
                  <th scope="col">Role</th>
                  <th scope="col">Address</th>
                  <th scope="col">Since</th>
                  <th scope="col">Until</th>
                  <th scope="col">End it</th>
                </tr>
              </thead>
              <tbody>
                {sessions.map(({ id, role, host, browser, since, until }) => (
                  <tr key={id}>
                    <td>
                      {browser} {id === own && <Chip tone="info">this one</Chip>}
                    </td>
                    <td>{role}</td>
                    <td>{host}</td>
                    <td>
                      <Time at={since} withDate />
                    </td>
                    <td>
                      <Time at={until} withDate />
                    </td>
                    <td>
                      <button type="button" onClick={() => void end({ id })}>
                        Sign it out
                      </button>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
            <button type="button" onClick={() => void end({ all: true })}>
              Sign all out
            </button>
          </>
        )}
      </Shown>
      <p class="soft">
        The command line does the same: <code>answerback open --revoke</code>
      </p>
    </section>
  );
}
