import * as z from "zod";
import type { AdsRecords } from "../../sandbox/control/objects.ts";
import { type AdsPart, adsParts } from "./tables/ads-tables.ts";
import { DATA_KINDS, DATA_TABLES } from "./tables/data-kinds.ts";
import { DATA_OBJECTS } from "./tables/data-objects.ts";
import { DATA_FORMS, makeOf } from "./tables/makers.ts";
import { sceneOf } from "./tables/scene.ts";
import type { ShownForm, ShownObject, ShownTable } from "./tables/table.ts";
import { operation } from "./operation.ts";

const kind = z.enum(DATA_KINDS);

/** Returns the table of a kind of objects in the sandbox, and the form that creates such an object. */
export const dataKind = operation(
  z.strictObject({ kind }),
  async (
    needs,
    { kind: name },
  ): Promise<{ readonly table: ShownTable; readonly form: ShownForm }> => {
    const scene = await sceneOf(needs);
    return { table: await DATA_TABLES[name](scene), form: DATA_FORMS[name](scene) };
  },
);

/** Returns the details of an object in the sandbox. */
export const dataObject = operation(
  z.strictObject({ kind, id: z.string().min(1) }),
  async (needs, { kind: name, id }): Promise<ShownObject> =>
    DATA_OBJECTS[name](await sceneOf(needs), id),
);

/**
 * Returns the records for the page Ads: tables with forms, and the engagements and conversions for its attribution
 * view.
 */
export const adsOverview = operation(
  z.strictObject({}),
  async (
    needs,
  ): Promise<Pick<AdsRecords, "engagements" | "conversions"> & { parts: readonly AdsPart[] }> => {
    const scene = await sceneOf(needs);
    const records = await scene.control.ads();
    const { engagements, conversions } = records;
    return { engagements, conversions, parts: adsParts(scene, records) };
  },
);

/** Creates an object from the values of a form. @returns A sentence about the result. */
export const make = operation(
  z.strictObject({ what: z.string(), values: z.record(z.string(), z.string()) }),
  async (needs, { what, values }): Promise<string> => makeOf(await sceneOf(needs), what, values),
);
