import { expect, test } from "vitest";
import { closedMeant, openMeant } from "../../../src/config/hours/hours-meant.ts";
import { readClosed, readOpen } from "../../../src/hours/read-hours.ts";

test.each([
  ["9-17", "09:00-17:00"],
  ["22-07", "22:00-07:00"],
  ["10pm-7am", "22:00-07:00"],
  ["12am - 12pm", "00:00-12:00"],
  ["9-5pm", "09:00-17:00"],
  ["1-5pm", "13:00-17:00"],
  ["9 a.m. to 5:30 p.m.", "09:00-17:30"],
  ["0900–1700", "09:00-17:00"],
  ["8 Uhr - 20 Uhr", "08:00-20:00"],
  ["noon to midnight", "12:00-24:00"],
  ["24/7", "00:00-24:00"],
  ["Monday to Friday, 9.30-17.00", "mon-fri 09:30-17:00"],
  ["weekdays: 9h-17h", "mon-fri 09:00-17:00"],
  ["09:00-17:00 mon-fri", "mon-fri 09:00-17:00"],
  ["sat & sun 10-16", "sat, sun 10:00-16:00"],
  ["mon-fri 09:00-12:00 and 13:00-17:00", "mon-fri 09:00-12:00, 13:00-17:00"],
])("the hours %s are %s", (text, hours) => {
  expect(openMeant(text)).toBe(hours);
  expect(readOpen(hours)).toBeDefined();
});

test.each(["closed", "mon-fri", "09:00", "25-26", "Tue-Thu 9-5", "from nine to five"])(
  "the hours %s may be any",
  (text) => expect(openMeant(text)).toBeUndefined(),
);

test.each([
  ["24.12.2026", "2026-12-24"],
  ["12/24/2026", "2026-12-24"],
  ["24/12/2026", "2026-12-24"],
  ["2026/1/5", "2026-01-05"],
  ["20261224", "2026-12-24"],
  ["1st May 2026", "2026-05-01"],
  ["December 24, 2026", "2026-12-24"],
  ["24.12.2026 - 1.1.2027", "2026-12-24..2027-01-01"],
  ["2026-12-24 to 2027-01-01", "2026-12-24..2027-01-01"],
])("the date %s is %s", (text, date) => {
  expect(closedMeant(text)).toBe(date);
  expect(readClosed(date)).toBeDefined();
});

test.each([
  "03/04/2026",
  "Dec 24",
  "christmas",
  "2026-13-01",
  "31.2.2026",
  "2027-01-01 to 2026-12-24",
])("the date %s may be any", (text) => expect(closedMeant(text)).toBeUndefined());
