import type { OpeningHours, OpenStretch } from "./opening-hours.ts";

const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
const ALL_DAYS = new Set(DAYS.keys());

const STRETCHES = /^(?:([a-z]+(?:[ ]*[-,][ ]*[a-z]+)*)[ ]+)?(\d[\d:,\- ]*)$/;
const STRETCH = /^(\d{1,2}):(\d{2}) *- *(\d{1,2}):(\d{2})$/;

/**
 * Reads hours such as `mon-fri 09:00-12:00, 13:00-17:30`; undefined if invalid. Hours without days apply to every day.
 */
export function readOpen(text: string): readonly OpenStretch[] | undefined {
  const [, written, times = ""] =
    STRETCHES.exec(text.trim().toLowerCase().replaceAll(/[–—]/g, "-")) ?? [];
  const days = written === undefined ? ALL_DAYS : readDays(written);
  const stretches = times.split(",").map((one) => readStretch(one.trim()));
  if (!days || !stretches.every((one) => one !== undefined)) return undefined;
  return stretches.map((one) => ({ days, ...one }));
}

function readDays(written: string): ReadonlySet<number> | undefined {
  if (written === "daily") return ALL_DAYS;
  const days = new Set<number>();
  for (const piece of written.split(",")) {
    const [first = "", last = first, more] = piece.split("-").map((one) => one.trim());
    const [from, to] = [first, last].map((name) => DAYS.indexOf(name));
    if (from === undefined || to === undefined || from < 0 || to < 0 || more !== undefined) {
      return undefined;
    }
    for (let day = from; ; day = (day + 1) % 7) {
      days.add(day);
      if (day === to) break;
    }
  }
  return days;
}

function readStretch(text: string): { readonly from: number; readonly to: number } | undefined {
  const stretchNumbers = STRETCH.exec(text)?.slice(1).map(Number);
  if (!stretchNumbers) return undefined;
  const [hour = 0, minute = 0, endHour = 0, endMinute = 0] = stretchNumbers;
  const from = hour * 60 + minute;
  const to = endHour * 60 + endMinute;
  const isClock = minute < 60 && endMinute < 60 && hour < 24 && to <= 24 * 60;
  return isClock && from !== to ? { from, to } : undefined;
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Reads a date or a range such as `2026-12-24` or `2026-12-24..2027-01-01`; undefined if the text can't be read. */
export function readClosed(text: string): OpeningHours["closed"][number] | undefined {
  const [from = "", to = from, more] = text.split("..").map((one) => one.trim());
  return more === undefined && isDate(from) && isDate(to) && from <= to ? { from, to } : undefined;
}

/** Whether `text` is a valid calendar date, such as `2026-12-24`. */
export function isDate(text: string): boolean {
  if (!DATE.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}
