import { expect, it } from "vitest";
import { localForTests } from "../../helpers/local-for-tests.js";
import { requestTests } from "../request-tests.js";

const local = localForTests();

requestTests(
  local,
  `
// contract: management-14, management-20, management-52, management-53
// contract: management-54, management-55, management-66, management-67
// contract: management-71, management-79, management-85
a new key is enabled, with a rate limit of 5
  POST /api-keys {type: secret, name: Backend, description: for the shop} = 201 {id:
    ~tok_, name: Backend, description: for the shop, type: secret, status: enabled,
    environment: null, rate_limit: 5, token: ~w32, created_at: ~time, disabled_at:
    null}
// contract: management-58, management-59, management-83
a public key belongs to the default environment, and other keys to none
  POST /api-keys {type: public, name: agent} = 201 {environment: $default}
  POST /api-keys {type: proxy, name: edge} = 201 {environment: null}
  POST /api-keys {type: secret, name: key, environment: $default} = 201
    {environment: $default}
// contract: management-5, management-15, management-18, management-56
// contract: management-57, management-58, management-80, management-81
// contract: management-84
all violations of a key are reported at once
  POST /api-keys {type: master, name: ab, description: "", environment: ae_none,
    rate_limit: 7, status: enabled} = 400 [description, environment, name,
    rate_limit, status, type]
  POST /api-keys = 400 [body]
// contract: management-54, management-81, management-82, management-88, management-89
names and descriptions of keys have 3 to 255 characters
  POST /api-keys {type: secret, name: x*2} = 400
  POST /api-keys {type: secret, name: x*3} = 201
  POST /api-keys {type: secret, name: x*255} = 201
  POST /api-keys {type: secret, name: x*256} = 400
  POST /api-keys {type: secret, name: key, description: x*2} = 400
  POST /api-keys {type: secret, name: key, description: x*3} = 201
  POST /api-keys {type: secret, name: key, description: x*255} = 201
  POST /api-keys {type: secret, name: key, description: x*256} = 400
  POST /api-keys {type: secret, name: key} = 201 key
  PATCH /api-keys/$key {name: x*2} = 400
  PATCH /api-keys/$key {name: x*3} = 200
  PATCH /api-keys/$key {name: x*255} = 200
  PATCH /api-keys/$key {name: x*256} = 400
  PATCH /api-keys/$key {description: x*2} = 400
  PATCH /api-keys/$key {description: x*3} = 200
  PATCH /api-keys/$key {description: x*255} = 200
  PATCH /api-keys/$key {description: x*256} = 400
// contract: management-63
the token of a public key can be read at any time
  POST /api-keys {type: public, name: agent} = 201 key
  GET /api-keys/$key = 200 {token: $key.token}
// contract: management-74, management-75, management-76
lists of keys are filtered by type, status and environment together
  POST /environments {name: other} = 201 other
  POST /api-keys {type: proxy, name: wanted, environment: $other} = 201 wanted
  POST /api-keys {type: proxy, name: elsewhere} = 201
  POST /api-keys {type: secret, name: key, environment: $other} = 201
  POST /api-keys {type: proxy, name: enabled, environment: $other} = 201 enabled
  PATCH /api-keys/$wanted {status: disabled} = 200
  GET /api-keys?type=proxy&environment=$other = 200 {ids: [ $wanted, $enabled ]}
  GET /api-keys?type=proxy&environment=$other&status=disabled = 200 {ids: [ $wanted
    ]}
// contract: management-25, management-51, management-60, management-78
// contract: management-87, management-89, management-91, management-93
an update changes the given fields of a key only, and null clears its description
  POST /api-keys {type: secret, name: key, description: text} = 201 key
  PATCH /api-keys/$key {name: after} = 200 {name: after, description: text,
    rate_limit: 5}
  PATCH /api-keys/$key {description: null, rate_limit: 0.1} = 200 {name: after,
    description: null, rate_limit: 0.1}
  GET /api-keys/$key = 200 {name: after, description: null, rate_limit: 0.1}
// contract: management-57, management-67, management-68, management-69
// contract: management-90
the time when a key was disabled is set, kept, and cleared
  POST /api-keys {type: secret, name: key} = 201 key
  clock 2030-01-01T00:00:00Z
  PATCH /api-keys/$key {status: disabled} = 200 off {disabled_at:
    ~2030-01-01T}
  clock 2030-01-02T00:00:00Z
  PATCH /api-keys/$key {status: disabled} = 200 {disabled_at: $off.disabled_at}
  PATCH /api-keys/$key {status: enabled} = 200 {status: enabled, disabled_at: null}
// contract: management-87, management-91, management-92
fields of a key that cannot change, and values out of range, are refused
  POST /api-keys {type: secret, name: key} = 201 key
  PATCH /api-keys/$key {type: public, environment: null, token: x, rate_limit: 0.05,
    name: null} = 400 [environment, name, rate_limit, token, type]
// contract: management-20, management-94, management-95
a key is deleted for good
  POST /api-keys {type: secret, name: key} = 201 key
  DELETE /api-keys/$key = 204
  GET /api-keys/$key = 404
  DELETE /api-keys/$key = 404

// contract: management-225, management-228, management-229, management-233
the default environment is the first of the list, and none can be read alone
  POST /environments {name: staging} = 201 made
  GET /environments = 200 {ids: [ $default, $made ]}
  GET /environments/$default = 405
  PATCH /environments/$default {} = 405
// contract: management-112, management-218, management-219, management-220
// contract: management-221, management-222, management-223, management-224
// contract: management-228
an environment has every field
  POST /environments {name: staging, description: for tests, limit_mode: notify,
    limit_value: 100} = 201 {id: ~ae_, name: staging, description: for tests,
    limit_mode: notify, limit_value: 100, is_restricted: false, restricted_at: null,
    created_at: ~time, updated_at: null}
// contract: management-219, management-231, management-232, management-234
names of environments have 3 to 255 characters, descriptions up to 256, limits are at least 1
  POST /environments {name: abc} = 201
  POST /environments {name: x*255} = 201
  POST /environments {name: x*256} = 400
  POST /environments {name: abc, description: ""} = 201
  POST /environments {name: abc, description: x*256} = 201
  POST /environments {name: abc, limit_mode: restrict, limit_value: 1} = 201
  POST /environments {name: abc, limit_mode: notify, limit_value: 0} = 400
  POST /environments {name: ab} = 400 [name]
  POST /environments {name: long, description: x*257} = 400 [description]
  POST /environments {name: mode, limit_mode: restrict} = 400 [limit_value]
  POST /environments {limit_mode: notify, color: red} = 400 [color, limit_value,
    name]
// contract: management-233
an unknown mode of an environment is refused
  POST /environments {name: mode, limit_mode: stop, limit_value: 0} = 400
    [limit_mode, limit_value]
// contract: management-25, management-220, management-224, management-235
an update changes the given fields of an environment only; a new name may have 1 character
  POST /environments {name: before, description: text} = 201 made
  POST /environments/$made {limit_mode: restrict, limit_value: 10} = 200 {name:
    before, description: text, limit_mode: restrict, limit_value: 10, updated_at:
    ~time}
  POST /environments/$made {name: after, description: null} = 200 {name: after,
    description: null, limit_value: 10}
  POST /environments/$made {name: n} = 200
  POST /environments/$made {name: x*255} = 200
  POST /environments/$made {name: x*256} = 400
  eu POST /environments/$made {name: taken} = 404
// contract: management-221
a limit_mode needs a limit_value
  POST /environments {name: limited, limit_mode: notify, limit_value: 5} = 201 made
  POST /environments/$made {limit_value: null} = 400 [limit_value]
  POST /environments/$made {limit_mode: none, limit_value: null} = 200 {limit_mode:
    none, limit_value: null}
// contract: management-225
the default environment cannot be deleted
  DELETE /environments/$default = 409 conflict
  GET /environments = 200 {ids: [ $default ]}
// contract: management-19, management-237, management-238
an environment is deleted with its keys, but not while one of them is enabled
  POST /environments {name: in use} = 201 made
  POST /api-keys {type: secret, name: key, environment: $made} = 201 key
  GET /encryption-keys?environment=$made = 200 sealing
  DELETE /environments/$made = 409 environment_in_use
  PATCH /api-keys/$key {status: disabled} = 200
  DELETE /environments/$made = 204
  GET /api-keys/$key = 404
  GET /encryption-keys/$sealing = 404
// contract: management-112, management-238
an environment is deleted with its rules and webhooks, and nothing else
  POST /environments {name: going} = 201 made
  POST /webhooks {url: https://shop.example/hook} = 201 kept
  POST /webhooks {url: https://shop.example/hook, environment: $made} = 201 gone
  POST /filtering-rules {name: rule, expression: "true", action: deny, environment:
    $made} = 201
  DELETE /environments/$made = 204
  GET /filtering-rules = 200 {ids: []}
  GET /webhooks = 200 {ids: [ $kept ]}
  GET /webhooks/$gone = 404
  DELETE /environments/$made = 404

// contract: management-185, management-186, management-187, management-188
// contract: management-194, management-195, management-199, management-204
// contract: management-211, management-212
a new webhook is enabled and not verified, and shows its signing key
  POST /webhooks {url: https://shop.example/hook, description: orders} = 201 {id:
    ~wh_, url: https://shop.example/hook, description: orders, status: enabled,
    verified: false, environment: null, legacy: false, basic_auth: null, created_at:
    ~time, signing_key: ~w43, last_enabled_at: ~time, last_disabled_at: null}
// contract: management-207, management-208
a url is https, or http on this machine; a description has any length
  POST /webhooks {url: https://shop.example/a?b=c} = 201
  POST /webhooks {url: http://127.0.0.1:9/hook} = 201
  POST /webhooks {url: http://localhost:9/hook} = 201
  POST /webhooks {url: "http://[::1]:9/hook"} = 201
  POST /webhooks {url: https://shop.example/hook, description: x*5000} = 201
// contract: management-205, management-206, management-207
any other url is refused
  POST /webhooks {url: http://shop.example/hook} = 400 [url]
  POST /webhooks {url: http://127.0.0.1.shop.example/hook} = 400 [url]
  POST /webhooks {url: http://localhost.shop.example/hook} = 400 [url]
  POST /webhooks {url: ftp://shop.example} = 400 [url]
  POST /webhooks {url: https://203.0.113.5/hook} = 400 [url]
  POST /webhooks {url: "https://[2001:db8::1]/hook"} = 400 [url]
  POST /webhooks {url: https://3405803781/hook} = 400 [url]
  POST /webhooks {url: shop.example} = 400 [url]
  POST /webhooks {url: ""} = 400 [url]
  POST /webhooks {url: null} = 400 [url]
  POST /webhooks {} = 400 [url]
// contract: management-23, management-189, management-193, management-209
// contract: management-210
all violations of a webhook are reported at once
  POST /webhooks {url: http://shop.example, status: on, environment: ae_none,
    legacy: true, basic_auth: {}} = 400 [basic_auth, environment, legacy, status,
    url]
  POST /webhooks {url: https://shop.example/hook} = 201 made
  PATCH /webhooks/$made {url: http://shop.example, environment: ae_none} = 400
    [environment, url]
// contract: management-25, management-188, management-191, management-203
// contract: management-213
an update changes the given fields of a webhook only; null clears description and environment
  POST /webhooks {url: https://shop.example/hook, description: text, environment:
    $default} = 201 made
  PATCH /webhooks/$made {description: new} = 200 {url: https://shop.example/hook,
    description: new, environment: $default}
  PATCH /webhooks/$made {description: null, environment: null} = 200 {url:
    https://shop.example/hook, description: null, environment: null}
  GET /webhooks/$made = 200 {url: https://shop.example/hook, description: null,
    environment: null}
// contract: management-189, management-198, management-199, management-209
// contract: management-213
the times when a webhook was enabled and disabled are set
  POST /webhooks {url: https://shop.example/hook, status: disabled} = 201 made
    {last_enabled_at: null, last_disabled_at: null}
  clock 2030-01-01T00:00:00Z
  PATCH /webhooks/$made {status: enabled} = 200 on {last_enabled_at: ~2030-01-01}
  clock 2030-01-02T00:00:00Z
  PATCH /webhooks/$made {status: disabled} = 200 off {last_enabled_at:
    $on.last_enabled_at, last_disabled_at: ~2030-01-02}
  clock 2030-01-03T00:00:00Z
  PATCH /webhooks/$made {status: disabled} = 200 {last_disabled_at:
    $off.last_disabled_at}
// contract: management-201, management-202, management-214, management-215
webhooks are filtered by status and environment, and deleted
  POST /webhooks {url: https://shop.example/hook, status: disabled} = 201 first
  POST /webhooks {url: https://shop.example/hook, environment: $default} = 201
    second
  GET /webhooks?status=disabled = 200 {ids: [ $first ]}
  GET /webhooks?environment=$default = 200 {ids: [ $second ]}
  eu GET /webhooks = 200 {ids: []}
  eu DELETE /webhooks/$first = 404
  DELETE /webhooks/$first = 204
  DELETE /webhooks/$first = 404
  GET /webhooks = 200 {ids: [ $second ]}

// contract: management-96, management-104, management-108
// contract: management-100, management-101, management-105, management-106
// contract: management-107, management-110, management-116
every environment has a disabled encryption key, with every field
  GET /encryption-keys = 200 key
  GET /encryption-keys/$key = 200 {id: ~ek_, name: ~Default, description: null,
    status: disabled, environment: $default, token: ~b32, previous_token: null,
    next_token: ~b32, created_at: ~time, last_activated_at: null,
    last_rotated_at: null, last_deactivated_at: null}
  POST /encryption-keys {} = 405
  DELETE /encryption-keys/$key = 405
// contract: management-97, management-117, management-118
a name and a description of an encryption key have any length, and null is none
  GET /encryption-keys = 200 key
  PATCH /encryption-keys/$key {name: x*5000, description: x*5000} = 200 {name: x*5000,
    description: x*5000, token: $key.token}
  PATCH /encryption-keys/$key {description: null} = 200 {name: x*5000,
    description: null}
  PATCH /encryption-keys/$key {} = 200 {name: x*5000, description: null}
// contract: management-98, management-99, management-105, management-107
// contract: management-113, management-117
the times when an encryption key was enabled and disabled are set
  GET /encryption-keys = 200 key
  clock 2030-01-01T00:00:00Z
  PATCH /encryption-keys/$key {status: enabled} = 200 on {last_activated_at:
    ~2030-01-01, last_deactivated_at: null}
  clock 2030-01-02T00:00:00Z
  PATCH /encryption-keys/$key {status: enabled, name: Results} = 200 {name: Results,
    last_activated_at: $on.last_activated_at}
  clock 2030-01-03T00:00:00Z
  PATCH /encryption-keys/$key {status: disabled} = 200 {last_deactivated_at:
    ~2030-01-03, last_activated_at: $on.last_activated_at}
// contract: management-102, management-103, management-106, management-109
// contract: management-119, management-120, management-121, management-122
// contract: management-123, management-124
a rotation makes the next token the token, and a revert undoes one rotation
  GET /encryption-keys = 200 first
  POST /encryption-keys/$first/revert = 409 conflict
  POST /encryption-keys/$first/rotate = 200 one {previous_token: $first.token,
    token: $first.next_token, last_rotated_at: ~time}
  POST /encryption-keys/$first/rotate = 200 {previous_token: $one.token,
    token: $one.next_token}
  POST /encryption-keys/$first/revert = 200 {previous_token: null,
    token: $one.token, next_token: $one.next_token}
  POST /encryption-keys/$first/revert = 409 conflict
  GET /encryption-keys/$first = 200 {token: $one.token, next_token: $one.next_token}
// contract: management-115
encryption keys are filtered by status and environment
  GET /encryption-keys = 200 key
  POST /environments {name: other} = 201 other
  GET /encryption-keys?environment=$other = 200 its
  PATCH /encryption-keys/$key {status: enabled} = 200
  GET /encryption-keys?status=disabled = 200 {ids: [$its]}
  GET /encryption-keys?status=enabled = 200 {ids: [$key]}
// contract: management-118
unknown fields and invalid values of an encryption key are refused
  GET /encryption-keys = 200 key
  PATCH /encryption-keys/$key {token: mine, status: "on", name: ""} = 400 [name,
    status, token]
  eu GET /encryption-keys/$key = 404
  eu POST /encryption-keys/$key/rotate = 404
  eu POST /encryption-keys/$key/revert = 404
`,
);

// contract: management-63, management-64, management-65, management-196, management-197
it.each([
  ["/api-keys", { type: "secret", name: "key" }, "token"],
  ["/api-keys", { type: "proxy", name: "edge" }, "token"],
  ["/webhooks", { url: "https://shop.example" }, "signing_key"],
])(
  "the answer to POST %s %j alone shows the %s",
  async (path, body, member) => {
    const made = (await local.us("POST", path, { body })).data;
    const later = [
      await local.us("GET", `${path}/${made.id}`),
      await local.us("GET", path),
      await local.us("PATCH", `${path}/${made.id}`, {
        body: { description: "still" },
      }),
    ];
    for (const { text } of later) {
      expect(text).toContain(made.id);
      expect(text).not.toContain(String(made[member]));
    }
  },
);

// contract: management-32, management-33, management-38, management-51
// contract: management-56
it("the list of keys has the development keys from the start", async () => {
  const { list, pagination } = await local.us("GET", "/api-keys");
  expect(list).toMatchObject([
    {
      type: "secret",
      name: "Local development",
      environment: null,
      rate_limit: 5,
      disabled_at: null,
    },
    { type: "public", token: "local-public-us" },
  ]);
  expect(pagination).toEqual({
    ...{ next_cursor: null, prev_cursor: null },
    ...{ nextCursor: null, prevCursor: null },
  });
});
