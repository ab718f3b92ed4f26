import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { loadSettings } from "../../src/config/load-settings.ts";
import { openStore } from "../../src/runtime/store/open.ts";
import { testDatabase } from "../postgres/databases.ts";
import { contentsOf, fillRichly } from "../runtime/store/move/rich-store.ts";

const DEPLOY = fileURLToPath(new URL("../../examples/deploy/", import.meta.url));
const read = (name: string): Promise<string> => readFile(`${DEPLOY}${name}`, "utf8");
/** Maximum time for a process to stop, in seconds. */
const STOPS_WITHIN = 10;

it("the roles that the documents make are enough: the owner makes the tables, the others work with them", async () => {
  const database = await testDatabase({ fresh: true });
  const name = `roles_${process.pid}`;
  const sql = (await read("roles.sql"))
    .replaceAll(/--.*|\\getenv.*/g, "")
    .replaceAll(/\banswerback(?=_owner|\b)/g, name)
    .replaceAll(/:'\w+'/g, "'secret'");
  const [before = "", after = ""] = sql.split(`\\connect ${name}`);
  const admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
  for (const one of before.split(";")) await admin.query(one);
  const url = new URL(database.url);
  url.pathname = name;
  const within = new pg.Client({ connectionString: url.href });
  await within.connect();
  await within.query(after);
  await within.end();
  const as = (user: string): string => {
    url.username = user;
    url.password = "secret";
    return url.href;
  };

  await expect(openStore(as(name))).rejects.toMatchObject({
    message: expect.stringContaining("permission denied"),
  });
  await (await openStore(as(`${name}_owner`))).close();
  const store = await openStore(as(name));
  await fillRichly(store);
  const { journal } = await contentsOf(store);
  await store.prune({ before: 2_000, now: 0 });
  await store.startRestored(1, 1);
  await store.close();
  const bot = new pg.Client({ connectionString: as(name) });
  await bot.connect();
  // `pg_dump` reads the value of each sequence.
  const { rows: unreadable } = await bot.query(
    "SELECT sequencename FROM pg_sequences WHERE NOT has_sequence_privilege(format('%I.%I', schemaname, sequencename), 'SELECT')",
  );
  await bot.end();

  expect(unreadable).toEqual([]);
  expect(journal.length).toBeGreaterThan(10);
  await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
  await admin.query(`DROP ROLE ${name}; DROP ROLE ${name}_owner`);
  await admin.end();
  await database.giveBack();
});

it("compose starts two of each role with settings that there are, after the tables are there", async () => {
  const { services, volumes } = parse(await read("compose.cluster.yaml"), { merge: true });
  const commonNames = ["ANSWERBACK_STORE", "ANSWERBACK_DATA", "ANSWERBACK_ROLE"];
  for (const role of ["receiver", "worker"]) {
    for (const n of [1, 2]) {
      const service = services[`${role}-${n}`];
      const settings = await loadSettings({ cwd: DEPLOY, environment: service.environment });
      expect(settings.role).toBe(role);
      expect(settings.store.folder).toBe("/data");
      expect(Object.keys(service.environment)).toEqual(expect.arrayContaining(commonNames));
      expect(Number.parseInt(service.stop_grace_period, 10)).toBeGreaterThan(STOPS_WITHIN);
      expect(service.depends_on.tables.condition).toBe("service_completed_successfully");
      expect(service.restart).toBe("unless-stopped");
    }
  }
  expect(services.caddy.environment.BOT).toBe("receiver-1:8080 receiver-2:8080");
  expect(Object.keys(volumes)).toEqual(["database", "certificates"]);
});

it("Kubernetes gets deployments of both roles, with probes, time to stop and one that stays", async () => {
  const documents = parseAllDocuments(await read("kubernetes.yaml"));
  expect(documents.flatMap(({ errors }) => errors)).toEqual([]);
  const all = documents.map((one) => one.toJS());
  const secret = all.find(({ kind }) => kind === "Secret").stringData;
  for (const role of ["receiver", "worker"]) {
    const { spec } = all.find((one) => one.kind === "Deployment" && one.metadata.name === role);
    const pod = spec.template.spec;
    const [container] = pod.containers;
    const env = Object.fromEntries(
      container.env.map(({ name, value }: { name: string; value: string }) => [name, value]),
    );
    const environment = { ...secret, ...env };
    const settings = await loadSettings({ cwd: DEPLOY, environment });

    expect(settings.role).toBe(role);
    expect(settings.webhook.listen.port).toBe(container.ports[0].containerPort);
    expect(container.livenessProbe.httpGet.path).toBe("/healthz");
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(STOPS_WITHIN);
    const budget = all.find(
      (one) => one.kind === "PodDisruptionBudget" && one.metadata.name === role,
    );
    expect(budget.spec.selector).toEqual(spec.selector);
  }
  const kinds = all.map(({ kind }) => kind);
  expect(kinds).toEqual(expect.arrayContaining(["Job", "Service"]));
});

it("compose gives no bot process the password of the owner or of the superuser", async () => {
  const text = await read("compose.cluster.yaml");
  const { services } = parse(text, { merge: true });
  for (const name of ["receiver-1", "receiver-2", "worker-1", "worker-2", "tables"]) {
    const { environment, env_file: file } = services[name];
    const passwords = [...JSON.stringify(environment).matchAll(/\$\{(\w+)/g)].map(([, one]) => one);

    // Receivers decrypt no tokens, so they get no `key.env`.
    expect(file).toEqual(name.startsWith("receiver") ? "bot.env" : ["bot.env", "key.env"]);
    expect(passwords).toEqual([name === "tables" ? "OWNER_PASSWORD" : "PGPASSWORD"]);
  }
  expect(services.postgres.env_file).toBeUndefined();
});

it("Kubernetes gives pods of the bot no token, a limit of memory and no system calls that they do not need", async () => {
  const all = parseAllDocuments(await read("kubernetes.yaml")).map((one) => one.toJS());
  const secrets = (pod: { containers: { envFrom: { secretRef: { name: string } }[] }[] }) =>
    pod.containers.flatMap(({ envFrom }) => envFrom.map(({ secretRef }) => secretRef.name));
  const deployments = all.filter(({ kind }) => kind === "Deployment");
  for (const { spec } of [...deployments, ...all.filter(({ kind }) => kind === "Job")]) {
    const pod = spec.template.spec;
    expect(pod.automountServiceAccountToken).toBe(false);
    // The service's name would add variables such as ANSWERBACK_PORT.
    expect(pod.enableServiceLinks).toBe(false);
    expect(pod.securityContext.seccompProfile).toEqual({ type: "RuntimeDefault" });
    expect(pod.containers[0].resources.limits.memory).toMatch(/Mi$|Gi$/);
  }
  for (const { metadata, spec } of deployments) {
    const policy = all.find(
      (one) => one.kind === "NetworkPolicy" && one.metadata.name === `answerback-${metadata.name}`,
    );
    const key = metadata.name === "receiver" ? [] : ["answerback-key"];
    expect(secrets(spec.template.spec)).toEqual(["answerback", ...key]);
    expect(policy.spec.podSelector).toEqual(spec.selector);
  }
});
