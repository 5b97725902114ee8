// Declares what resources.json beside it says. "$staging.id" stands for an
// output of the resource named staging; "secret:..." is a secret string. In
// options, "$box" is the resource of that name as a parent.
const devid = require("@devid/pulumi");
const pulumi = require("@pulumi/pulumi");
const { resources, providers = {} } = require("./resources.json");

const made = {};
const resolve = (value) => {
  if (Array.isArray(value)) return value.map(resolve);
  if (value && typeof value === "object")
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key, resolve(member)]),
    );
  const reference = typeof value === "string" && /^\$(\w+)\.(\w+)$/.exec(value);
  if (reference) return made[reference[1]][reference[2]];
  if (typeof value === "string" && value.startsWith("secret:"))
    return pulumi.secret(value.slice("secret:".length));
  return value;
};
for (const [name, args] of Object.entries(providers))
  made[name] = new devid.Provider(name, resolve(args));
for (const { kind, as, args, get, provider, opts = {} } of resources) {
  const options = {
    ...opts,
    ...(opts.parent && { parent: made[opts.parent.slice(1)] }),
    ...(provider && { provider: made[provider] }),
  };
  made[as] =
    kind === "Component"
      ? new pulumi.ComponentResource("test:Component", as, {}, options)
      : get
        ? devid[kind].get(as, get, options)
        : new devid[kind](as, resolve(args), options);
}
for (const [name, resource] of Object.entries(made))
  if (resource instanceof pulumi.CustomResource) exports[name] = resource.id;
