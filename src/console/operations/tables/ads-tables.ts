import type { AdsRecord, AdsRecords } from "../../../sandbox/control/objects.ts";
import { adsForms } from "./ads-forms.ts";
import { table } from "./data-kinds.ts";
import type { DataScene } from "./scene.ts";
import type { RowCommand, ShownForm, ShownTable, TableCell } from "./table.ts";

/** A section of the page Ads: a table of objects, and the form that creates one. */
export interface AdsPart {
  readonly title: string;
  readonly table: ShownTable;
  readonly form: ShownForm;
}

/** Returns the sections of the page Ads. */
export function adsParts(scene: DataScene, records: AdsRecords): readonly AdsPart[] {
  const forms = adsForms(scene, records);
  return [
    { title: "Conversions", table: conversionsOf(scene, records), form: forms.conversion },
    { title: "Views and clicks", table: engagementsOf(records), form: forms.engagement },
    { title: "Event tags", table: tagsOf(records), form: forms.tag },
    { title: "App lists", table: listsOf(records), form: forms.appList },
    { title: "Accounts", table: accountsOf(scene, records), form: forms.account },
  ];
}

function conversionsOf(scene: DataScene, { conversions, engagements }: AdsRecords): ShownTable {
  const engagementsById = new Map(engagements.map((one) => [one.id, one]));
  return table(
    ["When", "What", "Device", "App", "Attributed to", "Reported by"],
    "No conversion was reported yet. Report one with the form above.",
    conversions.map((one) => {
      const engagement = engagementsById.get(textOf(one, "engagementId"));
      return [
        one.id,
        [
          { at: textOf(one, "conversionTime") },
          textOf(one, "conversionType"),
          textOf(one, "hashedDeviceId"),
          `${textOf(one, "appId")}, ${textOf(one, "osType")}`,
          engagement === undefined
            ? "nobody"
            : {
                at: Number(engagement["at"]),
                before: `the ${textOf(engagement, "type").toLowerCase()} of`,
              },
          scene.person(textOf(one, "reportedBy")),
        ],
      ];
    }),
  );
}

function engagementsOf({ engagements, conversions }: AdsRecords): ShownTable {
  return table(
    ["When", "What", "Device", "App", "Campaign", "Conversions"],
    "No advertisement was seen or clicked yet. Create a view or a click with the form above.",
    engagements.map((one) => [
      one.id,
      [
        { at: Number(one["at"]) },
        textOf(one, "type").toLowerCase(),
        textOf(one, "hashedDeviceId"),
        textOf(one, "appStoreIdentifier"),
        textOf(one, "campaignName"),
        conversions.filter(({ engagementId }) => engagementId === one.id).length,
      ],
    ]),
  );
}

function tagsOf({ event_tags: tags }: AdsRecords): ShownTable {
  const cells = (tag: AdsRecord): readonly TableCell[] => [
    textOf(tag, "providerAppEventName"),
    textOf(tag, "conversionType"),
    `${textOf(tag, "appStoreIdentifier")}, ${textOf(tag, "osType")}`,
    `clicks ${textOf(tag, "postEngagementWindow")} d, views ${textOf(tag, "postViewWindow")} d`,
    tag["deleted"] === true ? "deleted" : textOf(tag, "status"),
    tag["lastTrackedAt"] === null ? "never" : { at: Number(tag["lastTrackedAt"]) },
    tag.id,
  ];
  return removable(tags, "removeTag", {
    columns: ["Name", "Event", "App", "Counts", "Status", "Last conversion", "Id"],
    empty: "There is no event tag yet. Create one with the form above.",
    cells,
  });
}

function listsOf({ app_lists: lists }: AdsRecords): ShownTable {
  return removable(lists, "removeAppList", {
    columns: ["Name", "Apps", "State", "Id"],
    empty: "There is no app list yet. Create one with the form above.",
    cells: (list) => [
      textOf(list, "name"),
      Array.isArray(list["appStoreIdentifiers"]) ? list["appStoreIdentifiers"].join(", ") : "",
      list["deleted"] === true ? "deleted" : "in use",
      list.id,
    ],
  });
}

function accountsOf(scene: DataScene, { accounts }: AdsRecords): ShownTable {
  return table(
    ["Name", "Owner", "Id"],
    "There is no advertising account yet. Create one with the form above; a form that needs one creates it too.",
    accounts.map((one) => [
      one.id,
      [textOf(one, "name"), scene.person(textOf(one, "userId")), one.id],
    ]),
  );
}

interface Removable {
  readonly columns: readonly string[];
  readonly empty: string;
  readonly cells: (row: AdsRecord) => readonly TableCell[];
}

/** Returns a table whose rows have a button to delete the object, unless it is deleted already. */
function removable(
  rows: readonly AdsRecord[],
  what: string,
  { columns, empty, cells }: Removable,
): ShownTable {
  const gone = new Set(rows.filter((row) => row["deleted"] === true).map(({ id }) => id));
  const shownTable = table(
    [...columns, "Action"],
    empty,
    rows.map((row) => [row.id, cells(row)]),
  );
  const removing = (id: string): RowCommand => ({ label: "Delete", what, values: { id } });
  return {
    ...shownTable,
    rows: shownTable.rows.map((row) =>
      gone.has(row.id) ? row : { ...row, remove: removing(row.id) },
    ),
  };
}

function textOf(record: AdsRecord, name: string): string {
  const value = record[name];
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
