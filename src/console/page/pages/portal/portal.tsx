import type { PageProps } from "../../page-props.ts";
import { route } from "../../routing/route.ts";
import { AppPage } from "./app-page.tsx";
import { Apps } from "./apps.tsx";
import { CallbackPage } from "./log-in/callback-page.tsx";

/** Page with the sandbox's developer portal: the apps with their settings, and the tester for log-ins. */
export function Page({ session }: PageProps) {
  const [, part, id] = route.value.parts;
  const mayChange = session.role === "operator";
  if (part === "callback") return <CallbackPage />;
  if (part === "apps" && id !== undefined) {
    return <AppPage key={id} id={id} session={session} mayChange={mayChange} />;
  }
  return <Apps session={session} mayChange={mayChange} />;
}
