import { writtenText } from "../protocol/written-text.ts";
import type { PostSnapshot } from "./event.ts";

/** A post's `source` in deliveries: a link with the app's name. Source: recorded bodies of the live service. */
const LINK = /^<a href="(?<url>[^"]*)"[^>]*>(?<name>.*)<\/a>$/s;

/**
 * Reads name and website of the app that created a post.
 *
 * @param source The post's `source`: a link in deliveries, the name alone in the data interface.
 */
export function sourceAppOf(
  source: string | undefined,
): Pick<PostSnapshot, "sourceAppName" | "sourceAppUrl"> {
  if (source === undefined) return {};
  const { url = "", name = source } = LINK.exec(source)?.groups ?? {};
  return {
    ...(name === "" ? {} : { sourceAppName: writtenText(name) }),
    ...(url === "" ? {} : { sourceAppUrl: writtenText(url) }),
  };
}
