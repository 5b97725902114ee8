import { Code, codeText } from "./code";
import type { EnvironmentPlaces } from "./environment-places";
import type { FoundObject } from "./found-object";
import { ResourceNames } from "./resource-names";
import { fromService } from "../../resources/filtering-rule-set/rule-set-state";
import type { Selection } from "../read/selection";

type Find = (selection: Selection, places: EnvironmentPlaces) => FoundObject[];

const environments: Find = ({ environments, only }, places) =>
  environments.map((found) => {
    const { id, name, description, limitMode, limitValue } = found;
    return {
      ...places.nameOf(id),
      kind: "Environment",
      what: "environment",
      id,
      title: name,
      args: {
        name: only
          ? new Code(`config.get("environmentName") ?? ${codeText(name)}`, name)
          : name,
        description,
        limitMode: limitMode ?? "none",
        // The service may keep a value that it does not act on.
        limitValue: (limitMode ?? "none") === "none" ? undefined : limitValue,
      },
      computed: {
        isRestricted: found.isRestricted,
        restrictedAt: found.restrictedAt,
        createdAt: found.createdAt,
        updatedAt: found.updatedAt,
      },
    };
  });

const apiKeys: Find = ({ workspace }, places) => {
  const names = new ResourceNames("api-key");
  return workspace.apiKeys.map((key) => ({
    ...names.add(key.id, key.name),
    kind: "ApiKey",
    what: "API key",
    id: key.id,
    title: key.name,
    args: {
      name: key.name,
      description: key.description,
      type: key.type,
      // A public key that names none gets the default one, any other gets none.
      environment:
        key.environment &&
        places.reference(
          key.environment,
          key.type === "public" ? "default" : undefined,
        ),
      status: key.status,
      rateLimit: key.rateLimit,
    },
    environmentId: key.environment,
    computed: {
      environmentId: key.environment,
      createdAt: key.createdAt,
      disabledAt: key.disabledAt,
    },
  }));
};

const webhooks: Find = ({ workspace }, places) => {
  const names = new ResourceNames("webhook");
  return workspace.webhooks.map((webhook) => ({
    ...names.add(webhook.id, addressWords(webhook.url)),
    kind: "Webhook",
    what: webhook.legacy ? "legacy webhook" : "webhook",
    id: webhook.id,
    title: webhook.url,
    obstacle: webhook.legacy
      ? "it delivers the old, version 3 form, and the API can neither make nor change such a webhook"
      : undefined,
    args: {
      url: webhook.url,
      description: webhook.description,
      status: webhook.status,
      environment: webhook.environment && places.reference(webhook.environment),
    },
    environmentId: webhook.environment,
    computed: {
      verified: webhook.verified,
      legacy: webhook.legacy,
      createdAt: webhook.createdAt,
      lastEnabledAt: webhook.lastEnabledAt,
      lastDisabledAt: webhook.lastDisabledAt,
    },
  }));
};

const encryptionKeys: Find = ({ workspace }, places) => {
  const names = new ResourceNames("key");
  return workspace.encryptionKeys.map((key) => {
    const environment = key.environment ?? workspace.defaultEnvironment.id;
    const own = workspace.encryptionKeys.filter(
      (other) => other.environment === key.environment,
    );
    return {
      ...names.add(key.id, places.nameOf(environment).name),
      kind: "EncryptionKey",
      what: "encryption key",
      id: key.id,
      title: key.name ?? key.id,
      obstacle:
        own.length > 1
          ? `its environment has ${own.length} of them, and only a single one can be adopted`
          : undefined,
      args: {
        environment: places.reference(environment, "default"),
        name: key.name,
        description: key.description,
        status: key.status,
      },
      environmentId: environment,
      computed: {
        environmentId: environment,
        adoptedStatus: key.status,
        createdAt: key.createdAt,
        lastActivatedAt: key.lastActivatedAt,
        lastDeactivatedAt: key.lastDeactivatedAt,
        lastRotatedAt: key.lastRotatedAt,
      },
    };
  });
};

const ruleSets: Find = ({ workspace }, places) => {
  const names = new ResourceNames("rules");
  return workspace.ruleSets.map(({ environment, rules: found }) => {
    const { name } = places.nameOf(environment);
    const rules = fromService(found);
    const path = `rules/${name}.yaml`;
    return {
      ...names.add(environment, name),
      kind: "FilteringRuleSet",
      what: "rule set",
      id: environment,
      title: name,
      args: {
        environment: places.reference(environment, "default"),
        rulesFile: path,
      },
      inputs: { rules },
      ruleFile: { path, rules },
      environmentId: environment,
      computed: {
        environmentId: environment,
        ruleIds: Object.fromEntries(
          rules.map((rule, index) => [rule.name, found[index]?.id]),
        ),
      },
    };
  });
};

/**
 * What was chosen of a workspace, an object for each resource: environments
 * first, since the others refer to them.
 */
export function foundObjects(
  selection: Selection,
  places: EnvironmentPlaces,
): FoundObject[] {
  const kinds = [environments, apiKeys, webhooks, encryptionKeys, ruleSets];
  return kinds.flatMap((find) => find(selection, places));
}

/** Host and path of an address as people read them; all of it where it is none. */
function addressWords(url: string): string {
  if (!URL.canParse(url)) return url;
  const { hostname, pathname } = new URL(url);
  try {
    return hostname + decodeURIComponent(pathname);
  } catch {
    return hostname + pathname;
  }
}
