import type { z } from "zod";
import type { CallOptions } from "../http/request";
import { RecordCalls } from "./collection";
import type { InputOf, ManagementApi, RecordOf } from "./management-api";
import { snakeKeys, type CamelKeys } from "../wire/casing";
import {
  FilteringRuleCreate,
  FilteringRuleFilter,
  FilteringRuleRecord,
  FilteringRulesBulk,
  FilteringRulesTest,
  FilteringRulesTestResult,
  FilteringRuleUpdate,
  type BulkRule,
  type TestRequestPayload,
} from "../wire/management";

/** A filtering rule. Its place in the list is its place in force; the record holds no position. */
export type FilteringRule = RecordOf<typeof FilteringRuleRecord>;

/** What a bulk call takes. */
export type BulkInput = Omit<z.input<typeof FilteringRulesBulk>, "rules"> & {
  readonly rules: readonly InputOf<typeof BulkRule>[];
};

/** What a test call takes: rules or an environment, and a request or the ID of a past event. */
export type TestInput = (
  | { readonly rules: readonly TestRule[]; readonly environment?: undefined }
  | { readonly environment: string; readonly rules?: undefined }
) &
  (
    | {
        /** Its members are spelt as in the contract. */
        readonly testRequestPayload: z.input<typeof TestRequestPayload>;
        readonly testRequestId?: undefined;
      }
    | {
        readonly testRequestId: string;
        readonly testRequestPayload?: undefined;
      }
  );

type TestRule = CamelKeys<
  NonNullable<z.input<typeof FilteringRulesTest>["rules"]>[number]
>;

/** Filtering rules of the workspace (docs/contract.md, "Filtering rule record"). */
export class FilteringRules extends RecordCalls<typeof FilteringRuleRecord> {
  constructor(api: ManagementApi) {
    super(api, {
      path: "/filtering-rules",
      singular: "filtering rule",
      record: FilteringRuleRecord,
    });
  }

  /** The rules in the order in force; the list has no pages (docs/contract.md, "GET /filtering-rules"). */
  async list(
    options: InputOf<typeof FilteringRuleFilter> & CallOptions = {},
  ): Promise<readonly FilteringRule[]> {
    const { signal, ...query } = options;
    const { record, path } = this.spec;
    const operation = "Listing filtering rules";
    const call = { operation, path, query, signal };
    return (await this.api.page(record, FilteringRuleFilter, call)).data;
  }

  /** Every rule that the filter lets through, in the order in force. */
  async *listAll(
    options?: InputOf<typeof FilteringRuleFilter> & CallOptions,
  ): AsyncGenerator<FilteringRule, void, undefined> {
    yield* await this.list(options);
  }

  /** One rule (docs/contract.md, "GET /filtering-rules/{id}"). @throws NotFoundError */
  get(id: string, options?: CallOptions): Promise<FilteringRule> {
    return this.callOne("Reading", id, {}, options);
  }

  /** Makes a rule, last unless placed (docs/contract.md, "POST /filtering-rules"). @throws AmbiguousError when it may have been made */
  create(
    input: InputOf<typeof FilteringRuleCreate>,
    options?: CallOptions,
  ): Promise<FilteringRule> {
    const body = { schema: FilteringRuleCreate, input };
    return this.createOne(`"${input.name}"`, body, options);
  }

  /** Changes what is given (docs/contract.md, "POST /filtering-rules/{id}"). @throws NotFoundError */
  update(
    id: string,
    input: InputOf<typeof FilteringRuleUpdate>,
    options?: CallOptions,
  ): Promise<FilteringRule> {
    const body = { schema: FilteringRuleUpdate, input };
    // It sets values, so it may be repeated (docs/assumptions.md, A12).
    const call = { method: "POST", body, idempotent: true } as const;
    return this.callOne("Updating", id, call, options);
  }

  /** Deletes a rule (docs/contract.md, "DELETE /filtering-rules/{id}"). @throws NotFoundError */
  delete(id: string, options?: CallOptions): Promise<void> {
    return this.deleteOne(id, options);
  }

  /**
   * Sets many rules at once, all or none. In `overwrite` mode every rule of the
   * environment is replaced by the given ones, in their order
   * (docs/contract.md, "POST /filtering-rules/bulk").
   * @throws ValidationError with paths such as `rules[2].expression`,
   * AmbiguousError when it may have been carried out: list the rules to see
   */
  async bulk(
    input: BulkInput,
    options: CallOptions = {},
  ): Promise<readonly FilteringRule[]> {
    const page = await this.api.many(FilteringRuleRecord, {
      operation: `Writing ${input.rules.length} filtering rules to ${input.environment ?? "the default environment"}`,
      method: "POST",
      path: "/filtering-rules/bulk",
      body: {
        schema: FilteringRulesBulk,
        input: { ...input, rules: input.rules.map(snakeKeys) },
      },
      ...options,
    });
    return page.data;
  }

  /** What rules, given or of an environment, decide about a request (docs/contract.md, "POST /filtering-rules/test"). */
  test(
    input: TestInput,
    options: CallOptions = {},
  ): Promise<RecordOf<typeof FilteringRulesTestResult>> {
    return this.api.one(FilteringRulesTestResult, {
      operation: "Testing filtering rules",
      method: "POST",
      path: "/filtering-rules/test",
      idempotent: true, // It changes nothing.
      body: {
        schema: FilteringRulesTest,
        input: { ...input, rules: input.rules?.map(snakeKeys) },
      },
      ...options,
    });
  }
}
