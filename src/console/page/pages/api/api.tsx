import { useEffect } from "preact/hooks";
import type { CallableEndpoint } from "../../../operations/endpoints.ts";
import { useQuestion } from "../../asking/use-asked.ts";
import { SearchField } from "../../parts/search-field.tsx";
import { Shown } from "../../parts/states.tsx";
import type { PageProps } from "../../page-props.ts";
import { go, route } from "../../routing/route.ts";
import { CallForm } from "./call-form.tsx";

/** Page with every endpoint of the platform, each with a form that calls it. */
export function Page({ session }: PageProps) {
  const answer = useQuestion("endpoints", {});
  const { parts } = route.value;
  const [, method, ...rest] = parts;
  const path = `/${rest.join("/")}`;
  // scrolls the list to an endpoint that was opened by its address
  useEffect(() => {
    document.querySelector(".api-list [aria-current]")?.scrollIntoView({ block: "nearest" });
  }, [answer.value, path]);
  return (
    <main id="main" tabIndex={-1}>
      <h1>API</h1>
      <Shown answer={answer}>
        {(endpoints) => {
          const chosen = endpoints.find((one) => one.method === method && one.path === path);
          return (
            <div class="api-parts">
              <EndpointList endpoints={endpoints} chosen={chosen} />
              {chosen === undefined ? (
                <section class="card">
                  <p>
                    {method !== undefined && `There is no ${method} ${path} here. `}
                    Choose an endpoint, for a form that calls it.
                  </p>
                  <button type="button" onClick={() => go("/api/POST/2/posts")}>
                    Example: POST /2/posts
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

interface EndpointListProps {
  readonly endpoints: readonly CallableEndpoint[];
  readonly chosen: CallableEndpoint | undefined;
}

function EndpointList({ endpoints, chosen }: EndpointListProps) {
  const words = (route.value.query.get("find") ?? "").toLowerCase();
  const matchingEndpoints = endpoints.filter(({ method, path }) =>
    `${method} ${path}`.toLowerCase().includes(words),
  );
  return (
    <section aria-label="Endpoints">
      <SearchField label="Find" name="find" />
      <p class="soft">
        {matchingEndpoints.length} of {endpoints.length} endpoints
      </p>
      <ul class="api-list" tabIndex={0} aria-label="Matching endpoints">
        {matchingEndpoints.map((one) => (
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
  );
}
