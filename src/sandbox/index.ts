/**
 * A local copy of the platform, for tests of bots and clients.
 *
 * @module answerback/sandbox
 */

// The sandbox
export { readyLine, startSandbox } from "./start.ts";
export type { RunningSandbox, SandboxOptions } from "./start.ts";

// Control interface of the sandbox
export { ControlClient } from "./control/client.ts";
export { ControlConnection, ControlError } from "./control/connection.ts";
export type {
  Act,
  AdsRecord,
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
  ExchangePart,
  ExchangeQuery,
  ExchangeSignature,
  ExchangeSubject,
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
  SandboxEvent,
  SandboxHealth,
  SandboxUser,
  ShownExchange,
  StreamStrike,
  UserChange,
  UserSpec,
  UsageChange,
  UserTokens,
} from "./control/objects.ts";
export type {
  SandboxList,
  SandboxMedium,
  SandboxMessage,
  SandboxPlace,
  SandboxPoll,
  SandboxPost,
  SandboxSpace,
  WorldObjects,
} from "./control/world-objects.ts";
export type { PendingDelivery } from "./activity/pending-routes.ts";
export type { SandboxActivity } from "./activity/activities-routes.ts";
export type { DeliveryRecord, WebhookAttempt } from "./kernel/delivery/delivery-log.ts";
export type { BehaviourRow, EndpointRow, Fidelity, LedgerRow } from "./kernel/ledger.ts";
export type { SandboxSettings, SettingsPatch } from "./kernel/settings.ts";
