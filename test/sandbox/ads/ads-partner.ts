import {
  send,
  signed,
  startTestSandbox,
  type TestSandbox,
  type ApiResponse,
} from "../support/test-sandbox.ts";

/** A measurement partner: a user with an advertising account, whose requests are signed. */
export interface AdsPartner {
  readonly fixture: TestSandbox;
  readonly accountId: string;
  /** Sends a signed request of the partner; `path` starts below the version. */
  ads(method: string, path: string, query?: Query, more?: More): Promise<ApiResponse>;
  /** Records that {@link DEVICE} saw or clicked an advertisement of {@link APP}. */
  engaged(over?: Readonly<Record<string, unknown>>): Promise<unknown>;
  /** Creates an app event tag of the account; returns its id. */
  tag(over?: Query): Promise<string>;
  /** Creates an app list of the account; returns its id. */
  appList(name: string): Promise<string>;
}

export type Query = Readonly<Record<string, string | number | boolean>>;

interface More {
  readonly version?: string;
  readonly userId?: string;
  readonly body?: unknown;
}

export const APP = "333903271";
export const DEVICE = "3cc82a3c7f4b55c1b6d3b7d6e5b2f4a90f7d0c3e1b2a4958675645342312fedc";
/** Time of the conversions in these tests. */
export const CONVERTED = "2026-03-31T12:00:00.000Z";

/** The parameters without which a conversion is refused. */
export const conversion: Query = {
  app_id: APP,
  conversion_time: CONVERTED,
  conversion_type: "INSTALL",
  hashed_device_id: DEVICE,
  os_type: "IOS",
};

/** The parameters without which an app event tag is refused. */
export const newTag: Query = {
  app_store_identifier: APP,
  conversion_type: "INSTALL",
  os_type: "IOS",
  provider_app_event_id: "2001",
  provider_app_event_name: "first open",
};

/** Time `days` before {@link CONVERTED}, shifted by some milliseconds. */
export function daysBefore(days: number, ms = 0): string {
  return new Date(Date.parse(CONVERTED) - days * 86_400_000 + ms).toISOString();
}

export async function startAdsPartner(): Promise<AdsPartner> {
  const fixture = await startTestSandbox({ clock: { now: Date.parse(CONVERTED), frozen: true } });
  const { sandbox, app, bot } = fixture;
  const { control } = sandbox;
  const account = { user_id: bot, name: "partner" };
  const { account_id: accountId } = await control.post<{ account_id: string }>(
    "/ads/accounts",
    account,
  );

  const ads: AdsPartner["ads"] = async (method, path, query = {}, more = {}) => {
    const tokens = await control.tokens(more.userId ?? bot, app.app_id);
    // The signing library does not read a plus sign in a query as a blank.
    const pairs = Object.entries(query).map(
      ([name, value]) => `${name}=${encodeURIComponent(value)}`,
    );
    const bare = `${sandbox.adsUrl}/${more.version ?? "12"}${path}`;
    const url = pairs.length === 0 ? bare : `${bare}?${pairs.join("&")}`;
    return send(method, url, signed(app, tokens, method, url), more.body);
  };
  return {
    fixture: fixture,
    accountId,
    ads,
    engaged: (over = {}) =>
      control.post("/ads/engagements", {
        account_id: accountId,
        hashed_device_id: DEVICE,
        type: "CLICK",
        time: daysBefore(1),
        app_store_identifier: APP,
        ...over,
      }),
    async tag(over = {}) {
      const path = `/accounts/${accountId}/app_event_tags`;
      const { body } = await ads("POST", path, { ...newTag, ...over });
      return idOf(body["data"]);
    },
    async appList(name) {
      const list = { account_id: accountId, name, app_store_identifiers: [APP, "com.example.app"] };
      return idOf(await control.post("/ads/app_lists", list));
    },
  };
}

/** Returns the id of an object in a response. */
export function idOf(object: unknown): string {
  return String({ id: "", ...Object(object) }.id);
}

/** Returns `data` of a response with one object. */
export function dataOf({ body }: ApiResponse): Record<string, unknown> {
  return { ...Object(body["data"]) };
}

/** Returns the status and the first error of a response, and the number of other errors if there are any. */
export function errorOf({ status, body }: ApiResponse): Record<string, unknown> {
  const [first, ...rest] = (body["errors"] ?? []) as Record<string, unknown>[];
  return { status, ...first, ...(rest.length === 0 ? {} : { others: rest.length }) };
}
