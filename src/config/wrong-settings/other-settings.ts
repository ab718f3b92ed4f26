/** Keys of this file by the paths that people write from other tools: `url` for `webhook.public_url`. */
const MEANT: ReadonlyMap<string, string> = new Map([
  ...same("", "rules", ["rule_files", "rule_file", "rules_dir"]),
  ...same("", "bots", ["bot_files", "modules", "plugins", "scripts"]),
  ...same("", "bot_limits", ["bot", "resources"]),
  ...same("", "store", ["database", "database_url", "db", "storage"]),
  ...same("", "data", ["data_dir", "data_folder", "data_path", "data_directory"]),
  ...same("", "target", ["environment", "stage"]),
  ...same("", "app", ["credentials", "keys", "auth", "api"]),
  ...same("platform", "base_url", ["url", "api_url", "api_base", "host", "endpoint"]),
  ...same("app", "consumer_key", ["api_key", "key", "client_key"]),
  ...same("app", "consumer_secret", ["api_secret", "secret", "api_key_secret", "api_secret_key"]),
  ...same("app", "bearer_token", ["bearer", "token", "app_only_token"]),
  ...same("webhook", "url", ["public_url", "address", "endpoint", "callback_url", "path"]),
  ...same("http", "allow", ["allowed_hosts", "hosts", "allowlist", "whitelist", "allowed"]),
  ...same("opt_out", "words", ["keywords", "phrases", "texts", "triggers"]),
  ...same("opt_out", "text", ["reply", "message", "confirmation"]),
  ...same("bot_limits", "memory_mb", ["memory", "max_memory", "memory_limit", "mem"]),
  ...same("limits", "replies", ["per_person", "per_user", "messages", "answers"]),
  ...same("console", "admin_token", ["password", "token", "secret", "admin_password"]),
]);

const PORT = /^(webhook|console|metrics)\.(?:port|host|bind|enabled)$/;

/** How to write what people put under other keys, by path. */
const FORMS: ReadonlyMap<string, string> = new Map([
  ...["port", "host", "listen"].map(
    (key) => [key, 'write  webhook: { listen: "127.0.0.1:8080" }'] as const,
  ),
  ...["consumer_key", "consumer_secret", "bearer_token", "permission_level"].map(
    (key) => [key, `put it under app:  app: { ${key}: … }`] as const,
  ),
  ...["api_key", "api_secret"].map(
    (key) => [key, `write  app: { ${key.replace("api", "consumer")}: … }`] as const,
  ),
  ...["access_token", "access_token_secret", "app.access_token", "app.access_token_secret"].map(
    (key) => [key, "remove it, and link the account with  answerback login"] as const,
  ),
  ...["timezone", "time_zone", "zone", "tz"].map(
    (key) => [key, "remove it, and name the zone in each schedule, hours and quiet_hours"] as const,
  ),
  ...["log_level", "logging", "log.level", "debug"].map(
    (key) => [key, "remove it, and start the bot with  --log-level debug"] as const,
  ),
  ["log.format", "remove it, and start the bot with  --log-format json"],
  ["dry_run", "remove it, and start the bot with  answerback run --dry-run"],
  ["sandbox", "write  target: sandbox"],
  ["live", "write  target: live"],
  [
    "env",
    "set variables in the environment or in .env, and list those for rules:  secrets: [NAME]",
  ],
  ["retention", "remove it: entries are deleted after 30 days"],
  ["backup", "remove it, and call  answerback backup  from a timer of the system"],
  ["proxy", "remove it, and set HTTPS_PROXY in the environment"],
  ["alerts", 'remove it, and let Prometheus alert:  metrics: { listen: "127.0.0.1:9090" }'],
  ["webhook.secret", "remove it: deliveries are signed with  app: { consumer_secret: … }"],
  ["log.file", "remove it, and start the bot with  --log-file FILE"],
  ["name", "remove it"],
  ["description", "remove it"],
  ["quiet_hours.from", 'write  times: ["22:00-08:00"]'],
  ["quiet_hours.to", 'write  times: ["22:00-08:00"]'],
]);

/** Returns the right key for a key of another tool; undefined if none is known. */
export function meantSetting(path: string): string | undefined {
  return MEANT.get(path);
}

const OF_ACCOUNT = /^(limits|quiet_hours)\.@?(\w+)$/;

/** Returns a help text for a wrong key whose value has another form or place here. */
export function formOfSetting(path: string, value: unknown): string | undefined {
  if (PORT.test(path)) return 'write  listen: "127.0.0.1:8080"';
  const isMap = typeof value === "object" && value !== null && !Array.isArray(value);
  const [, map, handle] = OF_ACCOUNT.exec(path) ?? [];
  if (isMap && map !== undefined) return `write  ${map}: { accounts: { ${handle}: … } }`;
  return FORMS.get(path);
}

function same(
  map: string,
  key: string,
  others: readonly string[],
): readonly (readonly [string, string])[] {
  return others.map((other) => [map === "" ? other : `${map}.${other}`, key]);
}
