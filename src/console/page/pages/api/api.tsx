import type { LedgerRow } from "../../../../sandbox/control/objects.ts";
import { sandbox } from "../../asking/api.ts";
import { useAsked } from "../../live/use-asked.ts";
import { Shown } from "../../parts/states.tsx";
import type { PageProps } from "../../page-props.ts";
import { go, route, setQuery } from "../../routing/route.ts";
import { CallForm } from "./call-form.tsx";

const METHODS = ["GET", "POST", "PUT", "DELETE"];

/** Every endpoint of the platform, each with a form that calls it. */
export function Page({ session }: PageProps) {
  const asked = useAsked(
    (signal) => sandbox.get<{ ledger: readonly LedgerRow[] }>("/ledger", signal),
    [],
  );
  const { parts, query } = route.value;
  const words = query.get("find") ?? "";
  const [, method, ...rest] = parts;
  const path = `/${rest.join("/")}`;
  return (
    <main id="main" tabIndex={-1}>
      <h1>API</h1>
      <Shown asked={asked}>
        {({ ledger }) => {
          const endpoints = ledger
            .flatMap((row) => ("path" in row && !row.path.startsWith("/_sandbox") ? [row] : []))
            .sort(
              (a, b) =>
                a.path.localeCompare(b.path) ||
                METHODS.indexOf(a.method) - METHODS.indexOf(b.method),
            );
          const chosen = endpoints.find((one) => one.method === method && one.path === path);
          const found = endpoints.filter(({ method, path }) =>
            `${method} ${path}`.toLowerCase().includes(words.toLowerCase()),
          );
          return (
            <div class="api-parts">
              <section aria-label="Endpoints">
                <label>
                  Find{" "}
                  <input
                    type="search"
                    value={words}
                    onInput={({ currentTarget }) => setQuery("find", currentTarget.value)}
                  />
                </label>
                <p class="soft">
                  {found.length} of {endpoints.length} endpoints
                </p>
                <ul class="api-list" tabIndex={0} aria-label="Endpoints that were found">
                  {found.map((one) => (
                    <li key={`${one.method} ${one.path}`}>
                      <a
                        href={`/api/${one.method}${one.path}${location.search}`}
                        aria-current={one === chosen ? "true" : undefined}
                      >
                        <strong>{one.method}</strong> {one.path}
                      </a>
                    </li>
                  ))}
                </ul>
              </section>
              {chosen === undefined ? (
                <section class="card">
                  <p>Choose an endpoint, for a form that calls it.</p>
                  <button type="button" onClick={() => go("/api/GET/2/users/me")}>
                    Take GET /2/users/me
                  </button>
                </section>
              ) : (
                <CallForm
                  key={`${chosen.method} ${chosen.path}`}
                  endpoint={chosen}
                  session={session}
                />
              )}
            </div>
          );
        }}
      </Shown>
    </main>
  );
}
