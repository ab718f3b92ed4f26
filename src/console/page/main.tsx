import { render } from "preact";
import { PAGES } from "../pages.ts";
import { openSession, Refused } from "./asking/api.ts";
import { followSignIns } from "./session/stored-session.ts";
import { Frame } from "./frame/frame.tsx";
import { startLive } from "./live/live.ts";
import { startRouting } from "./routing/route.ts";

const place = document.querySelector("#page");
if (place === null) throw new Error("the document has no place for the page");

try {
  const session = await openSession();
  followSignIns();
  startLive(session.id);
  startRouting(PAGES.map(({ path }) => path));
  place.replaceChildren();
  render(<Frame session={session} />, place);
} catch (error) {
  // After status 401, the browser is loading the sign-in page: ignore the error.
  if (!(error instanceof Refused && error.status === 401)) throw error;
}
