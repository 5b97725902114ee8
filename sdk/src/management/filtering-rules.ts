import type { z } from "zod";
import { snakeKeys, type CamelKeys } from "./casing";
import type {
  CallOptions,
  InputOf,
  ManagementApi,
  RecordOf,
} from "./management-api";
import {
  FilteringRuleCreate,
  FilteringRuleFilter,
  FilteringRuleRecord,
  FilteringRulesBulk,
  FilteringRulesTest,
  FilteringRulesTestResult,
  FilteringRuleUpdate,
  type BulkRule,
} from "./wire";

/** A filtering rule. Its place in the list is its place in force; the record holds no position. */
export type FilteringRule = RecordOf<typeof FilteringRuleRecord>;

/** What a bulk call takes. */
export type BulkInput = Omit<z.input<typeof FilteringRulesBulk>, "rules"> & {
  readonly rules: readonly InputOf<typeof BulkRule>[];
};

/** What a test call takes; `testRequestPayload` is spelt as in the contract. */
export type TestInput = Omit<InputOf<typeof FilteringRulesTest>, "rules"> & {
  readonly rules?: readonly CamelKeys<
    NonNullable<z.input<typeof FilteringRulesTest>["rules"]>[number]
  >[];
};

const at = (id: string) => `/filtering-rules/${encodeURIComponent(id)}`;

/** Filtering rules of the workspace (docs/contract.md, "Filtering rule record"). */
export class FilteringRules {
  constructor(private readonly api: ManagementApi) {}

  /** The rules in the order in force; the list has no pages (docs/contract.md, "GET /filtering-rules"). */
  async list(
    options: InputOf<typeof FilteringRuleFilter> & CallOptions = {},
  ): Promise<readonly FilteringRule[]> {
    const { signal, ...query } = options;
    const operation = "Listing filtering rules";
    const page = await this.api.page(FilteringRuleRecord, FilteringRuleFilter, {
      operation,
      path: "/filtering-rules",
      query,
      signal,
    });
    return page.data;
  }

  /** One rule (docs/contract.md, "GET /filtering-rules/{id}"). @throws NotFoundError */
  get(id: string, options: CallOptions = {}): Promise<FilteringRule> {
    const operation = `Reading filtering rule ${id}`;
    return this.api.one(FilteringRuleRecord, {
      operation,
      path: at(id),
      ...options,
    });
  }

  /** Makes a rule, last unless placed (docs/contract.md, "POST /filtering-rules"). @throws AmbiguousError when it may have been made */
  create(
    input: InputOf<typeof FilteringRuleCreate>,
    options: CallOptions = {},
  ): Promise<FilteringRule> {
    return this.api.one(FilteringRuleRecord, {
      operation: `Creating filtering rule "${input.name}"`,
      method: "POST",
      path: "/filtering-rules",
      body: { schema: FilteringRuleCreate, input },
      ...options,
    });
  }

  /** Changes what is given (docs/contract.md, "POST /filtering-rules/{id}"). @throws NotFoundError */
  update(
    id: string,
    input: InputOf<typeof FilteringRuleUpdate>,
    options: CallOptions = {},
  ): Promise<FilteringRule> {
    return this.api.one(FilteringRuleRecord, {
      operation: `Updating filtering rule ${id}`,
      method: "POST",
      path: at(id),
      idempotent: true, // It sets values; twice is as good as once.
      body: { schema: FilteringRuleUpdate, input },
      ...options,
    });
  }

  /** Deletes a rule (docs/contract.md, "DELETE /filtering-rules/{id}"). @throws NotFoundError */
  async delete(id: string, options: CallOptions = {}): Promise<void> {
    const operation = `Deleting filtering rule ${id}`;
    await this.api.call({
      operation,
      method: "DELETE",
      path: at(id),
      ...options,
    });
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
