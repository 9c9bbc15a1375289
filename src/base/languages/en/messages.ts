import type { Text } from '../plural.ts'
import { importMessages } from './messages.imports.ts'
import { recurrenceMessages } from './messages.recurrence.ts'
import { seriesMessages } from './messages.series.ts'

/**
 * Messages of problems by their code, and of invalid parameters. `{name}` is replaced by a value. A text that depends
 * on a number has one entry per plural form.
 */
export const messages = {
  rest_no_route: 'No route matches this URL and method.',
  rest_invalid_json: 'The body is not valid JSON.',
  rest_missing_callback_param: { one: 'Missing parameter: {names}.', other: 'Missing parameters: {names}.' },
  rest_invalid_param: { one: 'Invalid parameter: {names}.', other: 'Invalid parameters: {names}.' },
  rest_callback_invalid: 'The name of the JSONP function may only contain letters, digits, “_” and “.”.',
  rest_invalid_namespace: 'This namespace does not exist.',
  rest_bad_request: 'The request is not valid HTTP.',
  rest_request_too_large: 'The request is larger than this service accepts.',
  'rest_request_too_large.items':
    'The body has more parts than this service accepts: at most 1,000 parameters, or 20,000 values of JSON in 32 levels. Send them in several requests.',
  'rest_request_too_large.lines': 'An import has at most 200,000 lines. Send the others in another request.',
  'rest_request_too_large.recording':
    'A recording has at most 10,000 records, and 400,000 values of JSON in 32 levels. Send it in several requests.',
  rest_request_timeout: 'The request did not arrive in time.',
  rest_uri_too_long: 'The URL is longer than this service accepts.',
  rest_unknown_host: 'This service does not answer to this host name.',
  rest_too_many_requests: 'Too many requests. Please try again later.',
  rest_headers_too_large: 'The headers are larger than this service accepts.',
  rest_forbidden: 'You are not allowed to do this.',
  'rest_forbidden.visitor':
    'Sign in to do this: send the header Authorization with Basic, your user name and an application password, or with Bearer and a key.',
  'rest_forbidden.credentials':
    'These credentials are not valid. Send the header Authorization with Basic, your user name and an application password, or with Bearer and a key.',
  rest_cookie_invalid_nonce: 'The nonce is not valid.',
  incorrect_password:
    'The user name or the application password is wrong. The password of an account does not work here: create an application password (a key).',
  'incorrect_password.key': 'This key is not valid: it is unknown, has expired or was revoked.',
  internal_server_error: 'Something went wrong on our side.',
  json_syntax: 'Syntax error',
  json_encoding: 'Malformed UTF-8 characters',
  service_unavailable: 'The service cannot answer right now. Please try again shortly.',
  'query-too-dear':
    'This request takes too long. Choose a shorter period, search for fewer or longer words, or ask for less at a time.',

  'rest-invalid-event-id': 'This id does not belong to an event.',
  'rest-event-not-found': 'Event not found.',
  'event-not-accessible': 'You are not allowed to read this event.',
  'event-password-protected': 'This event is protected by a password.',
  'event-no-longer-available': 'This event is no longer available.',
  'event-archive-page-not-found': 'There aren’t that many pages of events.',
  'event-is-over': 'This event is over. It can only be canceled, if it did not take place.',
  'event-is-in-trash': 'This event is already in the trash.',
  'could-not-create-venue': 'The venue could not be created from this information.',
  'could-not-update-venue': 'The venue could not be changed with this information.',
  'venue-not-accessible': 'You are not allowed to read this venue.',
  'venue-archive-page-not-found': 'There aren’t that many pages of venues.',
  'venue-is-in-trash': 'This venue is already in the trash.',
  'could-not-create-organizer': 'The organizer could not be created from this information.',
  'could-not-update-organizer': 'The organizer could not be changed with this information.',
  'organizer-not-accessible': 'You are not allowed to read this organizer.',
  'organizer-archive-page-not-found': 'There aren’t that many pages of organizers.',
  'organizer-is-in-trash': 'This organizer is already in the trash.',

  ml_translation_exists: 'A translation into this language already exists.',

  'media-not-found': 'Picture not found.',
  'media-in-use': 'This picture is still in use. Send force=true to delete it anyway.',
  'media-no-file': 'Send the picture as the field “file” of a form, or as the body with a Content-Disposition header.',
  'media-refused': 'This file cannot be used as a picture.',

  'sign-in-failed': 'The user name or the password is wrong.',
  'current-password-wrong': 'The current password is wrong.',
  'user-not-found': 'User not found.',
  'user-exists': 'A user with this name or email address already exists.',
  'user-has-records': 'This user owns records and was not deleted.',
  'last-administrator': 'This is the only administrator. Create another one first.',
  'key-not-found': 'Key not found.',
  'too-many-views': 'You already have 50 saved views, which is the most. Delete one that you no longer use.',
  'too-many-keys': 'This user already has the maximum number of keys. Revoke one that is no longer used.',
  'beyond-own-key':
    'This would outlast your own key, which expires. Use a key that does not expire, or sign in with a browser.',
  'beyond-key-scope':
    'This key has the scope “read”, so it cannot write. Use a key with the scope “write”, or “plan” to try a write without effect.',
  'session-required': 'To do this, sign in with a browser or use the command line. A key is not enough.',
  'session-not-found': 'Session not found.',
  'link-not-valid': 'This link is not valid. Check that it is complete, or ask an administrator for a new one.',
  'link-not-valid.used':
    'This link has already been used. Sign in with your password, or ask an administrator for a new link.',
  'link-not-valid.expired': 'This link has expired. Ask an administrator for a new one.',

  'quota-exceeded':
    'Your records that nobody has published fill the space that you have here. Delete some of them for good with force=true, or ask an editor to publish them.',
  'source-of-another-user': 'This source belongs to another user.',
  'external-id-not-found': 'This source has sent nothing with this id.',
  'external-id-exists': 'This source has sent something with this id already.',
  'merge-not-found': 'No merge that can still be undone has this id.',
  'cancellation-not-found': 'No request that canceled events and can still be undone has this id.',

  'record-not-found': 'Record not found.',
  'sync-expired':
    'The log of changes no longer has what you need: it begins later, or the database was restored. Read everything again, without “after”.',
  'record-not-in-trash': 'This record is not in the trash.',
  'batch-failed': 'An operation failed, so none of them was kept. The results say which one and why.',
  'batch-too-long': 'The batch has taken too long, so this operation was not done. Send it again, in a smaller batch.',
  'batch-operation-refused': 'This operation cannot be part of a batch. Send it on its own.',
  'batch-reference-failed': 'An operation that this one refers to failed or gave no id.',
  'picture-not-fetched':
    'Pictures are not fetched within a batch, and only the first of a request that is only tried. Add the picture first, and send its id.',
  'idempotency-key-invalid': 'An Idempotency-Key has 1 to 255 visible characters, such as a UUID.',
  'idempotency-key-reused':
    'This Idempotency-Key was already used for another request. Use a new key for each write, and the same key only to repeat it.',
  'precondition-failed':
    'Someone has changed or removed this record since you read it. Read it again, and send your change with the new version in If-Match.',
  'precondition-failed.exists':
    'A record with this slug already exists, and If-None-Match says that there must be none.',
  'precondition-required':
    'This server only changes a record if the header If-Match has the version that you read: the value of ETag or X-Record-Version.',

  term_exists: 'A term with this name already exists.',
  rest_taxonomy_not_hierarchical: 'Tags have no parent.',
  empty_term_name: 'A term needs a name.',
  db_insert_error: 'The name is too long: at most 200 characters.',
  duplicate_term_slug: 'Another term already has this slug.',
  oembed_invalid_url: 'No event has its page at this address.',

  'fault.invalid': '“{name}” is not valid.',
  'fault.unknown-parameter': '“{name}” is not a parameter of this request. Allowed: {allowed}.',
  'fault.no-effect': '“{name}” has no effect with the other values of this request.',
  'fault.adjusted': '“{name}” would be changed to “{value}”.',
  'fault.partly': '“{name}” has items that would be ignored.',
  'fault.string': '“{name}” must be text.',
  'fault.alt-texts': '“{name}” must hold texts by language ({allowed}), such as en: A red poster.',
  'fault.list': '“{name}” must be a list, such as 4,8 or [4,8].',
  'fault.names': '“{name}” must be names of at most {most} characters, or ids, such as ["Town hall", 12].',
  'fault.doubles':
    '“{name}” must be events, each with “title” and “start_date”, such as Book fair and 2030-03-05 19:30:00.',
  'fault.links': '“{name}” must be addresses of at most {most} characters, such as https://example.org/tickets.',
  'fault.ids': '“{name}” must be ids, such as 4,8 or [4,8].',
  'fault.number-between': '“{name}” must be a number from {least} to {most}.',
  'fault.text': '“{name}” must be text and must not be empty.',
  'fault.whole-number': '“{name}” must be a whole number above zero, such as 12.',
  'fault.date': '“{name}” must be a date or time, such as 2030-01-31 19:00:00.',
  'fault.timezone': '“{name}” must be a time zone name such as America/Toronto, or an offset such as UTC-5.',
  'fault.url': '“{name}” must be a full address, such as https://example.org/. Allowed: {schemes}.',
  'fault.status': '“{name}” must be a status that you may use here: {allowed}.',
  'fault.too-long': '“{name}” must have at most {most} KB of text.',
  'fault.too-much-text': 'Lower “{name}”: these events have more than {most} million characters of text together.',
  'fault.too-many': '“{name}” must have at most {most} items.',
  'fault.too-many-pictures':
    '“{name}” may have at most {most} pictures to fetch. Upload the others first, and send their ids.',
  'fault.blank': '“{name}” must not be blank.',
  'fault.between': '“{name}” must be a whole number from {least} to {most}.',
  'fault.length': '“{name}” must have {least} to {most} characters.',
  'fault.batch.operations': 'Send “{name}” as a list with at least one operation.',
  'fault.batch.operation': 'Operation {place} is not an object.',
  'fault.batch.member': 'Operation {place} has the unknown member “{member}”. Known are: {allowed}.',
  'fault.batch.method': 'The method of operation {place} must be one of {allowed}.',
  'fault.batch.path': 'The path of operation {place} must begin with “/” and have no query.',
  'fault.batch.body': 'The body of operation {place} must be an object.',
  'fault.batch.ref': 'The “ref” of operation {place} must have 1 to 64 letters, digits, “.”, “-” or “_”.',
  'fault.batch.ref-twice': 'Operation {place} has the same “ref” as an earlier one: “{ref}”.',
  'fault.batch.reference': 'Operation {place} refers to “{ref}”, which no earlier operation is called.',
  'fault.batch.condition': 'Send “{member}” of operation {place} as a text or a number.',
  'fault.beyond-key-scope': '“{name}” must not be beyond the scope of the key you are using, which is “{scope}”.',
  'fault.only-in-query': 'Send “{name}” in the query, not in the form.',
  'fault.beyond-key': '“{name}” must not outlast the key you are using, which expires at {until}.',
  'fault.user-name': '“{name}” must have 1 to 60 characters, no colon, and no space at either end.',
  'fault.email': '“{name}” must be an email address, such as ada@example.org.',
  'fault.unknown-user': '“{name}” must be the id of a user.',
  'fault.unknown-event': '“{name}” must be the id of an event that you may read.',
  'fault.unknown-series': '“{name}” must be ids of series that exist, for example `812`.',
  'fault.unknown-venue': '“{name}” must name a venue that exists.',
  'fault.unknown-organizer': '“{name}” must name an organizer that exists.',
  'fault.venue-link':
    '“{name}” must be the id of a venue that exists, such as 12, or an object with the fields of a new one.',
  'fault.venue-name': 'The name of the new venue is missing: send it as “venue.venue”.',
  'fault.organizer-link':
    '“{name}” must be the id of an organizer that exists, such as 12, or an object with the fields of a new one.',
  'fault.organizer-name': 'The name of the new organizer is missing: send it as “organizer.organizer”.',
  'fault.unknown-category': '“{name}” must name categories that exist: ids, slugs or names, such as 4 or music.',
  'fault.unknown-tag': '“{name}” must name tags that exist: ids, slugs or names, such as 4 or outdoors.',
  'fault.picture.unknown-format': '“{name}” must be a picture: JPEG, PNG, WebP, GIF or AVIF.',
  'fault.picture.broken': '“{name}” is a picture that is broken or cut off.',
  'fault.picture.too-many-pixels': '“{name}” has more than {most} million pixels, the most for its format.',
  'fault.picture.too-slow': '“{name}” takes too long to process. Make it smaller.',
  'fault.picture.too-demanding':
    '“{name}” cannot be processed. Save it again with another program, or make it smaller.',
  'fault.picture.polyglot': '“{name}” contains more than a picture.',
  'fault.outbound.address': '“{name}” must be an http or https address on the public Internet.',
  'fault.outbound.redirects': '“{name}” redirects too often.',
  'fault.outbound.too-large': '“{name}” is larger than 15 MB.',
  'fault.outbound.too-slow': '“{name}” did not answer in time.',
  'fault.outbound.answer': '“{name}” did not return a file.',
  'fault.outbound.unreachable': '“{name}” cannot be reached.',
  'fault.unknown-image':
    '“{name}” must be the id of a picture, such as 34, or the URL of one if you are allowed to add pictures.',
  'fault.translation-of': '“{name}” must be the id of a record of the same kind.',
  'fault.parent-loop': 'A category cannot be its own parent or ancestor.',
  'fault.coordinates': 'Latitude and longitude go together: send both, or neither.',
  'fault.type.string': '“{name}” must be text: a quoted string in JSON, not null.',
  'fault.type.integer': '“{name}” must be a whole number, such as 12.',
  'fault.type.boolean': '“{name}” must be true or false.',
  'fault.reschedule':
    '“{name}” must be the new start of the event, such as 2030-01-31 19:00:00, so that it can be rescheduled.',
  'fault.reason': '“{name}” explains a status. Send “event_status” with it, such as canceled.',
  'fault.where': '“{name}” must say which events: an object with “to” or “event”, and with nothing besides {allowed}.',
  'fault.where-date': '“{name}” must be a day or a local time, such as 2030-01-31 or 2030-01-31 19:00:00.',
  'fault.where-days': '“{name}” must be at most {most} days after “where.from”, and not before it.',
  'fault.merge-itself': '“{name}” must name another one, and not a translation of it.',
  'fault.merge-unpublished': '“{name}” names one that is not public, but its events would be. Publish it first.',
  'fault.too-many-events': '“{name}” means {count} events. One request changes at most {most}.',
  'fault.offers': '“{name}” must be a list of objects, such as [{"name": "Adults", "price": 10}].',
  'fault.offer-price': '“{name}” must be a number such as 10 or 12.50, and not less than the lowest price.',
  'fault.offer-window': '“{name}” must not be before the beginning of the sale.',
  'fault.currency': '“{name}” must be the code of a currency, such as CAD.',
  'fault.view-name': 'You already have a view with this name. Choose another one, such as “Reviews in May”.',
  'fault.source': '“{name}” must have 1 to 64 lowercase letters, digits and hyphens, such as osheaga.',
  'fault.external-id':
    '“{name}” must be text of 1 to {most} characters without control characters, and without a space at either end.',
  'fault.unknown-external-id': '“{name}” must name what a source of yours has sent, by its external_id.',
  'fault.instant': '“{name}” must be a time with its offset, such as 2030-01-15T12:00:00Z.',
  'fault.past': '“{name}” must be a time that has passed.',
  'fault.only-events': '“{name}” must be event: nothing else can be canceled.',
  'fault.reasons': '“{name}” must be text, or texts by language: {allowed}.',
  'fault.virtual-source': '“{name}” must be the short name of a service, such as zoom.',
  'fault.enum': '“{name}” must be one of {allowed}.',
  'fault.words': '“{name}” must be one or more of {allowed}, separated by commas, such as {example}.',
  ...recurrenceMessages,
  ...seriesMessages,
  ...importMessages,
} as const satisfies Readonly<Record<string, Text>>

export type MessageKey = keyof typeof messages
export type Messages = Readonly<Record<MessageKey, Text>>
