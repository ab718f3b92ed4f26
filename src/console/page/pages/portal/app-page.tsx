import type { ComponentType } from "preact";
import type { App } from "../../../../sandbox/control/objects.ts";
import { useSandbox } from "../../asking/use-asked.ts";
import type { PageProps } from "../../page-props.ts";
import { Chip } from "../../parts/chip.tsx";
import { Shown } from "../../parts/states.tsx";
import { route, setQuery } from "../../routing/route.ts";
import { Callbacks } from "./callbacks.tsx";
import { Details } from "./details.tsx";
import { Keys } from "./keys.tsx";
import { Level } from "./level.tsx";
import { Tester } from "./log-in/tester.tsx";
import { type AppPartProps, concernsPortal } from "./portal-parts.ts";
import { Subscriptions } from "./subscriptions.tsx";
import { Usage } from "./usage.tsx";
import { Webhooks } from "./webhooks.tsx";

const PARTS = {
  details: { title: "Details", Part: Details },
  keys: { title: "Keys and tokens", Part: Keys },
  permission: { title: "Permission", Part: Level },
  callbacks: { title: "Callback URLs", Part: Callbacks },
  webhooks: { title: "Webhooks", Part: Webhooks },
  subscriptions: { title: "Subscriptions", Part: Subscriptions },
  usage: { title: "Usage", Part: Usage },
  login: { title: "Log-in tester", Part: undefined },
} as const satisfies Record<
  string,
  { readonly title: string; readonly Part: ComponentType<AppPartProps> | undefined }
>;

interface AppPageProps extends PageProps {
  readonly id: string;
  readonly mayChange: boolean;
}

/** Page of an app in the developer portal. The page's address selects the part to show. */
export function AppPage({ id, session, mayChange }: AppPageProps) {
  const answer = useSandbox<App>(`/apps/${encodeURIComponent(id)}`, concernsPortal);
  const shown = route.value.query.get("part") ?? "details";
  const name = Object.hasOwn(PARTS, shown) ? shown : "details";
  const shownPart = Object.entries(PARTS).find(([key]) => key === name)?.[1] ?? PARTS.details;
  const { Part, title } = shownPart;
  return (
    <main id="main" tabIndex={-1}>
      <p class="portal-back">
        <a href="/portal">All apps</a>
      </p>
      <h1>{answer.value?.name ?? "App"}</h1>
      <div class="tabs" role="group" aria-label="Parts of the app">
        {Object.entries(PARTS).map(([key, part]) => (
          <button
            key={key}
            type="button"
            aria-pressed={key === name}
            onClick={() => setQuery("part", key)}
          >
            {part.title}
          </button>
        ))}
      </div>
      <Shown answer={answer}>
        {(app) => (
          <section aria-label={title}>
            <h2 class="hidden-text">{title}</h2>
            {app.suspended && (
              <p>
                <Chip tone="bad">suspended</Chip> The platform refuses this app's requests.
              </p>
            )}
            {Part === undefined ? (
              <Tester
                app={app}
                mayChange={mayChange}
                onChanged={answer.again}
                knowsSecret={session.sandbox?.appId === id}
              />
            ) : (
              <Part app={app} mayChange={mayChange} onChanged={answer.again} />
            )}
          </section>
        )}
      </Shown>
    </main>
  );
}
