import type { SandboxActivity } from "../activity/activities-routes.ts";
import type { PendingDelivery } from "../activity/pending-routes.ts";
import type { DeliveryRecord } from "../kernel/delivery/delivery-log.ts";
import type { LedgerRow } from "../kernel/ledger.ts";
import type { SandboxSettings, SettingsPatch } from "../kernel/settings.ts";
import { ControlConnection } from "./connection.ts";
import type {
  Act,
  AdsRecords,
  ConversionToWeigh,
  ShownEngagement,
  Acted,
  ActiveFault,
  App,
  AppChange,
  AppCredentials,
  AppSpec,
  ClockReading,
  CredentialChange,
  EngagementSpec,
  ExchangeHead,
  ExchangeQuery,
  FaultSpec,
  HostTarget,
  LiveCost,
  OpenStreamState,
  PlaceSpec,
  PortalGrant,
  PortalSubscriptions,
  PortalUsage,
  PortalWebhook,
  SpaceChange,
  SpaceSpec,
  Project,
  ProjectSpec,
  SandboxHealth,
  SandboxUser,
  ShownExchange,
  StreamStrike,
  UserChange,
  UserSpec,
  UsageChange,
  UserTokens,
} from "./objects.ts";
import type { WorldObjects } from "./world-objects.ts";

/**
 * The sandbox's control interface: people and what they do, the developer portal, the clock, faults, snapshots.
 *
 * Every method rejects with a {@link ControlError} if the sandbox refuses.
 *
 * @example
 * const sandbox = await startSandbox();
 * const ana = await sandbox.control.user("ana");
 * await sandbox.control.act(ana, { type: "post", text: "hello" });
 * await sandbox.control.advance(3_600_000);
 * await sandbox.close();
 */
export class ControlClient extends ControlConnection {
  /** Returns version, clock, seed and world. @group The world */
  health(): Promise<SandboxHealth> {
    return this.get("/health");
  }

  /** Empties the world; a seed makes its secrets and tokens repeatable. @group The world */
  reset(seed?: string | number): Promise<{ readonly world_id: string; readonly seed: string }> {
    return this.post("/reset", seed === undefined ? {} : { seed });
  }

  /** Returns the whole world, in the form that {@link restoreWorld} accepts. @group The world */
  saveWorld(): Promise<unknown> {
    return this.get("/state");
  }

  /** Replaces the world by a saved world, completely or not at all. @group The world */
  restoreWorld(world: unknown): Promise<{ readonly world_id: string }> {
    return this.call("PUT", "/state", world);
  }

  /** Lists how the sandbox behaves: as documented, as assumed, or stricter than documented. @group The world */
  async ledger(): Promise<readonly LedgerRow[]> {
    return (await this.get<{ ledger: LedgerRow[] }>("/ledger")).ledger;
  }

  /** Returns limits, delays and time-outs. @group The world */
  settings(): Promise<SandboxSettings> {
    return this.get("/settings");
  }

  /** Changes the settings in `patch`. @group The world */
  changeSettings(patch: SettingsPatch): Promise<SandboxSettings> {
    return this.call("PATCH", "/settings", patch);
  }

  /**
   * Returns posts, messages, media, polls, places, lists or spaces, oldest first, regardless of their visibility.
   *
   * @param limit Number of the latest objects to return, 1,000 at most. @group The world
   *
   * @example
   * const sandbox = await startSandbox();
   * for (const { text } of await sandbox.control.objects("posts")) console.log(text);
   */
  async objects<Kind extends keyof WorldObjects>(
    kind: Kind,
    limit = 100,
  ): Promise<readonly WorldObjects[Kind][]> {
    return (await this.get<Record<Kind, WorldObjects[Kind][]>>(`/${kind}?limit=${limit}`))[kind];
  }

  /** Creates a person and returns their id. @group People */
  async user(username: string, spec: UserSpec = {}): Promise<string> {
    const response = await this.post<{ user: SandboxUser }>("/users", {
      username,
      name: username,
      ...spec,
    });
    return response.user.id;
  }

  /** Returns all people, or only the person with a handle. @group People */
  async users(username?: string): Promise<readonly SandboxUser[]> {
    const query = username === undefined ? "" : `?username=${encodeURIComponent(username)}`;
    return (await this.get<{ users: SandboxUser[] }>(`/users${query}`)).users;
  }

  /** Changes fields of a person. @group People */
  async changeUser(userId: string, change: UserChange): Promise<SandboxUser> {
    const path = `/users/${encodeURIComponent(userId)}`;
    return (await this.call<{ user: SandboxUser }>("PATCH", path, change)).user;
  }

  /** Performs an action as a person, and returns the created post, message or event. @group People */
  act(userId: string, what: Act): Promise<Acted> {
    return this.post(`/users/${encodeURIComponent(userId)}/act`, what);
  }

  /**
   * Returns the activities by or about a person, or the activities of all people, oldest first.
   *
   * @param limit Number of the latest activities to return, 1,000 at most. @group People
   */
  async activities(userId?: string, limit = 100): Promise<readonly SandboxActivity[]> {
    const query = new URLSearchParams({ limit: String(limit) });
    if (userId !== undefined) query.set("user", userId);
    return (await this.get<{ activities: SandboxActivity[] }>(`/activities?${query.toString()}`))
      .activities;
  }

  /** Answers a request to follow a protected account. @group People */
  answerFollowRequest(
    userId: string,
    fromId: string,
    accept: boolean,
  ): Promise<{ readonly accepted: boolean }> {
    const path = `/users/${encodeURIComponent(userId)}/follow_requests/${encodeURIComponent(fromId)}`;
    return this.post(path, { accept });
  }

  /** Adds people to a group conversation, or removes them. @group People */
  changeParticipants(
    conversationId: string,
    change: { readonly join?: readonly string[]; readonly leave?: readonly string[] },
  ): Promise<{ readonly dm_conversation_id: string; readonly participant_ids: readonly string[] }> {
    const id = encodeURIComponent(conversationId);
    return this.post(`/dm_conversations/${id}/participants`, change);
  }

  /** Votes in a poll as a person. @param position Number of the option, 1 for the first. @group People */
  vote(pollId: string, userId: string, position: number): Promise<unknown> {
    return this.post(`/polls/${encodeURIComponent(pollId)}/votes`, { user_id: userId, position });
  }

  /** Creates a place that posts can name, and returns its id. @group People */
  async place(spec: PlaceSpec): Promise<string> {
    return (await this.post<{ place: { id: string } }>("/places", spec)).place.id;
  }

  /** Opens a space, live by default, and returns its id. @group People */
  async space(spec: SpaceSpec): Promise<string> {
    return (await this.post<{ space: { id: string } }>("/spaces", spec)).space.id;
  }

  /** Changes a space: `{ state: "ended" }` ends it. @group People */
  async changeSpace(spaceId: string, change: SpaceChange): Promise<void> {
    await this.call("PATCH", `/spaces/${encodeURIComponent(spaceId)}`, change);
  }

  /** Creates a project of the developer portal, and returns its id. @group Developer portal */
  async project(spec: ProjectSpec): Promise<string> {
    return (await this.post<{ project_id: string }>("/projects", spec)).project_id;
  }

  /** Returns all projects. @group Developer portal */
  async projects(): Promise<readonly Project[]> {
    return (await this.get<{ projects: Project[] }>("/projects")).projects;
  }

  /** Creates an app. Without a project in `spec` it also creates an enterprise project. @group Developer portal */
  app(spec: AppSpec = {}): Promise<AppCredentials> {
    return this.post("/apps", {
      name: "test app",
      permission_level: "read-write-directmessages",
      callback_urls: [],
      ...spec,
    });
  }

  /** Returns all apps, without their secrets. @group Developer portal */
  async apps(): Promise<readonly App[]> {
    return (await this.get<{ apps: App[] }>("/apps")).apps;
  }

  /** Returns the settings of an app, without its secrets. @group Developer portal */
  appSettings(appId: string): Promise<App> {
    return this.get(`/apps/${encodeURIComponent(appId)}`);
  }

  /** Changes settings of an app. @group Developer portal */
  changeApp(appId: string, change: AppChange): Promise<App> {
    return this.call("PATCH", `/apps/${encodeURIComponent(appId)}`, change);
  }

  /** Regenerates a credential, which is shown once, or revokes it. @group Developer portal */
  changeCredential(
    appId: string,
    change: CredentialChange,
  ): Promise<Readonly<Record<string, string | boolean>>> {
    return this.post(`/apps/${encodeURIComponent(appId)}/credentials`, change);
  }

  /** Issues tokens of a person for an app, as the log-in pages would. @group Developer portal */
  tokens(userId: string, appId: string): Promise<UserTokens> {
    return this.post(`/users/${encodeURIComponent(userId)}/tokens`, { app_id: appId });
  }

  /** Revokes the person's authorization of the app. @group Developer portal */
  revoke(userId: string, appId: string): Promise<{ readonly revoked: boolean }> {
    const path = `/users/${encodeURIComponent(userId)}/apps/${encodeURIComponent(appId)}`;
    return this.call("DELETE", path);
  }

  /** Returns the tokens that people have granted an app. @group Developer portal */
  async grants(appId: string): Promise<readonly PortalGrant[]> {
    const path = `/apps/${encodeURIComponent(appId)}/grants`;
    return (await this.get<{ grants: PortalGrant[] }>(path)).grants;
  }

  /** Returns the posts that the app received this month, and its use of the rate limits. @group Developer portal */
  usage(appId: string): Promise<PortalUsage> {
    return this.get(`/apps/${encodeURIComponent(appId)}/usage`);
  }

  /** Uses up or resets the daily limits for writing, even if limits are off. @group Developer portal */
  changeUsage(appId: string, change: UsageChange): Promise<PortalUsage> {
    return this.post(`/apps/${encodeURIComponent(appId)}/usage`, change);
  }

  /** Returns the accounts whose activity an app's webhooks receive. @group Developer portal */
  subscriptions(appId: string): Promise<PortalSubscriptions> {
    return this.get(`/apps/${encodeURIComponent(appId)}/subscriptions`);
  }

  /** Ends the subscription of a webhook to a person. @group Developer portal */
  unsubscribe(webhookId: string, userId: string): Promise<{ readonly subscribed: boolean }> {
    const path = `/webhooks/${encodeURIComponent(webhookId)}/subscriptions/${encodeURIComponent(userId)}`;
    return this.call("DELETE", path);
  }

  /** Returns the webhooks of all apps. @group Webhooks and faults */
  async webhooks(): Promise<readonly PortalWebhook[]> {
    return (await this.get<{ webhooks: PortalWebhook[] }>("/webhooks")).webhooks;
  }

  /** Registers a webhook for an app, once the webhook has passed its first challenge. @group Webhooks and faults */
  registerWebhook(appId: string, url: string): Promise<PortalWebhook> {
    return this.post(`/apps/${encodeURIComponent(appId)}/webhooks`, { url });
  }

  /** Challenges a webhook now. @group Webhooks and faults */
  challengeWebhook(
    webhookId: string,
  ): Promise<{ readonly valid: boolean; readonly reason?: string }> {
    return this.post(`/webhooks/${encodeURIComponent(webhookId)}/challenge`);
  }

  /** Deletes a webhook with its subscriptions. @group Webhooks and faults */
  removeWebhook(webhookId: string): Promise<{ readonly deleted: boolean }> {
    return this.call("DELETE", `/webhooks/${encodeURIComponent(webhookId)}`);
  }

  /** Maps a public webhook host to a local server. @param ca PEM certificate to trust. @group Webhooks and faults */
  host(host: string, target: string, ca?: string): Promise<HostTarget> {
    const body = ca === undefined ? { target } : { target, ca };
    return this.call("PUT", `/hosts/${encodeURIComponent(host)}`, body);
  }

  /** Returns the mapped hosts. @group Webhooks and faults */
  async hosts(): Promise<readonly HostTarget[]> {
    return (await this.get<{ hosts: HostTarget[] }>("/hosts")).hosts;
  }

  /**
   * Returns attempts to reach webhooks, oldest first.
   *
   * @param after Sequence number of the last attempt already read.
   * @param event Returns only attempts with this key of the body, or `crc` for challenges. @group Webhooks and faults
   */
  async deliveries(after = 0, event?: string): Promise<readonly DeliveryRecord[]> {
    const only = event === undefined ? "" : `&event=${encodeURIComponent(event)}`;
    const path = `/deliveries?after=${after}${only}`;
    return (await this.get<{ deliveries: DeliveryRecord[] }>(path)).deliveries;
  }

  /** Compares the last hour's requests with the live platform's limits, enforced or not. @group Webhooks and faults */
  liveCost(): Promise<LiveCost> {
    return this.get("/live_cost");
  }

  /** Returns deliveries that wait for a retry or for an earlier delivery, oldest first. @group Webhooks and faults */
  async pendingDeliveries(): Promise<readonly PendingDelivery[]> {
    return (await this.get<{ deliveries: PendingDelivery[] }>("/deliveries/pending")).deliveries;
  }

  /**
   * Sends earlier deliveries again, in the passed order, and returns the number of queued deliveries.
   *
   * @param deliveries Sequence numbers (`seq`) of the deliveries.
   * @param times Number of times that each delivery is sent. @group Webhooks and faults
   */
  async deliverAgain(deliveries: readonly number[], times = 1): Promise<number> {
    return (await this.post<{ queued: number }>("/deliveries", { deliveries, times })).queued;
  }

  /** Returns received requests and attempts to reach webhooks, newest last. @group Webhooks and faults */
  async exchanges(which: ExchangeQuery = {}): Promise<readonly ExchangeHead[]> {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(which)) query.set(name, String(value));
    return (await this.get<{ exchanges: ExchangeHead[] }>(`/exchanges?${query.toString()}`))
      .exchanges;
  }

  /** Returns an exchange with headers, bodies and signature, while it is stored. @group Webhooks and faults */
  exchange(seq: number): Promise<ShownExchange> {
    return this.get(`/exchanges/${seq}`);
  }

  /** Injects a fault and returns its id. @group Webhooks and faults */
  async addFault(spec: FaultSpec): Promise<string> {
    return (await this.post<{ id: string }>("/faults", spec)).id;
  }

  /** Returns the active faults. @group Webhooks and faults */
  async faults(): Promise<readonly ActiveFault[]> {
    return (await this.get<{ faults: ActiveFault[] }>("/faults")).faults;
  }

  /** Removes one fault, or all of them, and returns the number removed. @group Webhooks and faults */
  async clearFaults(id?: string): Promise<number> {
    const path = id === undefined ? "/faults" : `/faults/${encodeURIComponent(id)}`;
    return (await this.call<{ removed: number }>("DELETE", path)).removed;
  }

  /** Hides a post from search for up to an hour from now, while search finds newer posts. @group Webhooks and faults */
  async delayInSearch(postId: string, ms: number): Promise<void> {
    await this.call("PUT", `/posts/${encodeURIComponent(postId)}/search_delay`, { ms });
  }

  /** Returns the open streams, oldest first. @group Webhooks and faults */
  async streams(): Promise<readonly OpenStreamState[]> {
    return (await this.get<{ streams: OpenStreamState[] }>("/streams")).streams;
  }

  /** Ends or stalls open streams at once, and returns the number of affected streams. @group Webhooks and faults */
  async strikeStreams(strike: StreamStrike): Promise<number> {
    return (await this.post<{ streams: number }>("/streams", strike)).streams;
  }

  /** Reads the sandbox's clock. @group The clock */
  clock(): Promise<ClockReading> {
    return this.get("/clock");
  }

  /**
   * Advances the clock, and runs the work that becomes due.
   *
   * @param ms Milliseconds, a year at most. @group The clock
   */
  advance(ms: number): Promise<ClockReading> {
    return this.post("/clock", { advance_ms: ms });
  }

  /** Sets the clock, and runs the work that becomes due. @param to ISO 8601 with a time zone. @group The clock */
  setClock(to: string): Promise<ClockReading> {
    return this.post("/clock", { set: to });
  }

  /** Stops the clock, or lets it run again. @group The clock */
  freezeClock(frozen: boolean): Promise<ClockReading> {
    return this.post("/clock", { frozen });
  }

  /** Returns the records of advertising measurement, the latest 500 of each kind. @group Advertising */
  ads(): Promise<AdsRecords> {
    return this.get("/ads");
  }

  /** Returns the engagements that compete for a conversion, and why each of them wins or loses. @group Advertising */
  async weighEngagements(conversion: ConversionToWeigh): Promise<readonly ShownEngagement[]> {
    const { click_window: click, view_through_window: view, ...rest } = conversion;
    const query = new URLSearchParams({
      ...rest,
      click_window: String(click),
      view_through_window: String(view),
    });
    const path = `/ads/attribution?${query.toString()}`;
    return (await this.get<{ engagements: ShownEngagement[] }>(path)).engagements;
  }

  /** Creates an advertising account, and returns its id. @group Advertising */
  async adsAccount(userId: string, name: string): Promise<string> {
    const path = "/ads/accounts";
    return (await this.post<{ account_id: string }>(path, { user_id: userId, name })).account_id;
  }

  /** Records that a person sees or clicks an advertisement, and returns the engagement's id. @group Advertising */
  async engagement(spec: EngagementSpec): Promise<string> {
    return (await this.post<{ id: string }>("/ads/engagements", spec)).id;
  }

  /** Creates a list of apps, and returns its id. @group Advertising */
  async appList(
    accountId: string,
    name: string,
    appStoreIdentifiers: readonly string[],
  ): Promise<string> {
    const body = { account_id: accountId, name, app_store_identifiers: appStoreIdentifiers };
    return (await this.post<{ id: string }>("/ads/app_lists", body)).id;
  }

  /** Removes a list of apps. @group Advertising */
  removeAppList(id: string): Promise<{ readonly id: string; readonly deleted: boolean }> {
    return this.call("DELETE", `/ads/app_lists/${encodeURIComponent(id)}`);
  }

  /** Changes the status of an app event tag. @param status For example `TRACKING`. @group Advertising */
  changeEventTag(id: string, status: string): Promise<unknown> {
    return this.call("PATCH", `/ads/app_event_tags/${encodeURIComponent(id)}`, { status });
  }
}
