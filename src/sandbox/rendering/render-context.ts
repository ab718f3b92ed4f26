import type { Dialect } from "../../protocol/dialects.ts";
import type { Viewpoint } from "../model/hidden-reason.ts";

/** Viewer and dialect: what rendering depends on besides the world. */
export interface RenderContext extends Viewpoint {
  readonly baseUrl: string;
  readonly dialect: Dialect;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  /** Whether the app and the token let the viewer's own email address be read. */
  readonly email: boolean;
}
