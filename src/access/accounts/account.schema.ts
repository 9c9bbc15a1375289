import Type, { type TSchema } from 'typebox'
import { ROLES } from '../auth/actor.ts'
import { KEY_SCOPES } from '../auth/key.ts'
import { LINK_KINDS } from '../auth/link.ts'
import { id, oneOf, orNull, ref, text, withDescription } from '../http/schema.ts'

const instant = (key: Parameters<typeof withDescription>[0]) =>
  Type.String({ ...withDescription(key), format: 'date-time' })
const instantOrNull = (key: Parameters<typeof withDescription>[0]) => orNull(instant(key))

const user = {
  id: id('User.id'),
  name: text('account.name'),
  email: text('User.email'),
  role: oneOf(ROLES, 'account.role'),
}

export const UserSchema = Type.Object(user, { $id: 'User', ...withDescription('User') })

/** A user who was just created. */
export const NewUserSchema = Type.Object(
  { ...user, application_password: Type.Optional(text('NewUser.application_password')) },
  { $id: 'NewUser', ...withDescription('NewUser') },
)

const key = {
  id: id('id.key'),
  label: text('key.label'),
  scope: oneOf(KEY_SCOPES, 'key.scope'),
  created_at: instant('Key.created_at'),
  expires_at: instantOrNull('Key.expires_at'),
  is_expired: Type.Boolean(withDescription('Key.is_expired')),
  last_used_at: instantOrNull('Key.last_used_at'),
  previous_secret_until: instantOrNull('Key.previous_secret_until'),
  made_by: orNull(id('Key.made_by')),
}

/** A key, without its secret. */
export const KeySchema = Type.Object(key, { $id: 'Key', ...withDescription('Key') })

/** A key with its secret, which is shown only once: not to a repeated request. */
export const NewKeySchema = Type.Object(
  { ...key, secret: Type.Optional(text('NewKey.secret')) },
  { $id: 'NewKey', ...withDescription('NewKey') },
)

const removed = <S extends TSchema>(schema: S) => ({
  deleted: Type.Literal(true),
  previous: ref(schema, 'Removed.previous'),
})

export const RemovedUserSchema = Type.Object(removed(UserSchema), { $id: 'RemovedUser', ...withDescription('Removed') })

export const RevokedKeySchema = Type.Object(
  { ...removed(KeySchema), also_revoked: Type.Array(ref(KeySchema), withDescription('RevokedKey.also_revoked')) },
  { $id: 'RevokedKey', ...withDescription('RevokedKey') },
)

export const SessionSchema = Type.Object(
  {
    id: id('id.session'),
    created_at: instant('Session.created_at'),
    last_seen_at: instant('Session.last_seen_at'),
    expires_at: instant('Session.expires_at'),
    is_current: Type.Boolean(withDescription('Session.is_current')),
  },
  { $id: 'Session', ...withDescription('Session') },
)

export const SignedInSchema = Type.Object(
  { user: ref(UserSchema), session: ref(SessionSchema), csrf_token: text('SignedIn.csrf_token') },
  { $id: 'SignedIn', ...withDescription('SignedIn') },
)

/** A new link, whose address is shown only once. */
export const NewLinkSchema = Type.Object(
  {
    url: Type.String({ ...withDescription('NewLink.url'), format: 'uri' }),
    kind: oneOf(LINK_KINDS, 'link.kind'),
    expires_at: instant('Link.expires_at'),
  },
  { $id: 'NewLink', ...withDescription('NewLink') },
)

/** A link that works. */
export const LinkSchema = Type.Object(
  { user: text('account.name'), kind: oneOf(LINK_KINDS, 'link.kind'), expires_at: instant('Link.expires_at') },
  { $id: 'Link', ...withDescription('Link') },
)

export const UserListSchema = Type.Array(ref(UserSchema), { $id: 'UserList', ...withDescription('UserList') })
export const KeyListSchema = Type.Array(ref(KeySchema), { $id: 'KeyList', ...withDescription('KeyList') })
export const SessionListSchema = Type.Array(ref(SessionSchema), {
  $id: 'SessionList',
  ...withDescription('SessionList'),
})
