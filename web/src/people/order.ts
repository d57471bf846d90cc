/** What somebody asks the server for, to keep others away from them. */

import { change, get, post } from "../net/api";
import type { AdminView, Blocked, MeasureWanted, PrivacyView, ReportView, ReportWanted } from "../protocol";

export type ReportReason = ReportWanted["reason"];

export const REASONS = ["insult", "spam", "cheating", "stalling", "name", "other"] as const satisfies ReportReason[];

export const askBlocks = (): Promise<Blocked[]> => get("me/blocks");

export const block = (person: string): Promise<Blocked[]> => post("me/blocks", { person });

export const unblock = (person: string): Promise<Blocked[]> =>
	change("DELETE", `me/blocks/${encodeURIComponent(person)}`);

/** Tells the operator; the tokens show that the sender was at the table. */
export const report = (wanted: ReportWanted, tokens: string[]): Promise<unknown> =>
	post("reports", wanted, undefined, tokens);

export const askAdmin = (closed: boolean): Promise<AdminView> => get(`admin?closed=${closed}`);

export const askReport = (id: string): Promise<ReportView> => get(`admin/reports/${encodeURIComponent(id)}`);

export const takeMeasure = (wanted: MeasureWanted): Promise<AdminView> => post("admin/measures", wanted);

export const askPrivacy = (): Promise<PrivacyView> => get("privacy");
