import type { Dialect } from "../../protocol/dialects.ts";
import type { Viewpoint } from "../model/hidden-reason.ts";

/** World, viewer and dialect that an object is rendered for. */
export interface RenderContext extends Viewpoint {
  readonly baseUrl: string;
  readonly dialect: Dialect;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  /** Whether the app and the token may read the viewer's own email address. */
  readonly email: boolean;
}
