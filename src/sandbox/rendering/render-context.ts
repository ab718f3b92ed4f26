import type { Dialect } from "../../protocol/dialects.ts";
import type { Viewpoint } from "../model/hidden-reason.ts";

/** World, viewer, time and dialect (`tweet` or `post` names) with which an object is rendered. */
export interface RenderContext extends Viewpoint {
  readonly baseUrl: string;
  readonly dialect: Dialect;
  /** Current time, in milliseconds since the Unix epoch. */
  readonly now: number;
  /** Whether the app and the token may read the viewer's own email address. */
  readonly email: boolean;
}
