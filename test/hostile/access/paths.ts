import { ROLES, type Role } from '../../../src/access/auth/actor.ts'
import { service } from '../../../src/api.ts'
import { directoryPaths } from './directory.paths.ts'
import { eventPaths } from './event.paths.ts'
import { feedPaths } from './feed.paths.ts'
import type { ExpectedAnswer, ReadPath } from './question.ts'
import { termPaths } from './term.paths.ts'
import * as see from './visibility.ts'

/** Alternative addresses. The same routes answer them, so a part of the paths is enough. */
const addresses: readonly (readonly [title: string, of: (path: string) => string])[] = [
  ['in French', (path) => `//fr/cal/events/v1${path}`],
  ['by rest_route', (path) => `//?rest_route=/cal/events/v1${path.replace('?', '&')}`],
]
const addressPaths: readonly ReadPath[] = addresses.flatMap(([title, of]) =>
  [...eventPaths, ...directoryPaths]
    .filter((path) => /by (?:its )?id/.test(path.title))
    .map((path) => ({
      title: `${path.title}, ${title}`,
      questions: (facts) => path.questions(facts).map((question) => ({ ...question, path: of(question.path) })),
    })),
)

const methodPaths: readonly ReadPath[] = [
  {
    title: 'what may be done with a record',
    questions: ({ records }) =>
      records.map((record) => ({
        method: 'OPTIONS',
        path: `/${record.kind}s/${record.id}`,
        expect: (caller) => ({
          status: 200,
          allow: see.isEditable(caller, record) ? 'GET, DELETE, POST, PUT, PATCH' : 'GET',
        }),
      })),
  },
]

const refused = (caller: see.Caller): ExpectedAnswer => ({
  status: caller === 'visitor' ? 401 : 403,
  code: 'rest_forbidden',
})
const toAll = (): ExpectedAnswer => ({ status: 200 })
const toAdministrators = (caller: see.Caller): ExpectedAnswer =>
  caller === 'administrator' ? { status: 200 } : refused(caller)

/** The texts of a record as they were written are for those who may change it. */
const sourcePaths: readonly ReadPath[] = (['event', 'venue', 'organizer'] as const).map((kind) => ({
  title: `the source of ${kind === 'venue' ? 'a' : 'an'} ${kind}`,
  questions: ({ records }) =>
    records
      .filter((record) => record.kind === kind)
      .map((record) => ({
        path: `//cal/service/v1/${kind}s/${record.id}/source`,
        asking: { isEditing: true },
        expect: (caller) => (see.isEditable(caller, record) ? { status: 200 } : refused(caller)),
      })),
}))

const historyPaths: readonly ReadPath[] = [
  {
    title: 'the history of an event',
    questions: ({ records }) =>
      records
        .filter((record) => record.kind === 'event')
        .map((record) => ({
          path: `//cal/service/v1/events/${record.id}/history?per_page=1`,
          asking: { isEditing: true },
          expect: (caller) => (see.isEditable(caller, record) ? { status: 200 } : refused(caller)),
        })),
  },
]

const seriesPaths: readonly ReadPath[] = ['', '/dates'].map((part) => ({
  title: part === '' ? 'a series' : 'the dates of a series',
  questions: ({ templates }) =>
    templates.map((template) => ({
      path: `//cal/service/v1/series/${template.id}${part}`,
      expect: (caller) => {
        if (see.isSeriesOpen(caller, template)) return { status: 200 }
        return template.status === 'trash'
          ? { status: 410, code: 'series-is-in-trash' }
          : { status: 404, code: 'series-not-found' }
      },
    })),
}))

const toCreators = (caller: see.Caller): ExpectedAnswer => (see.isCreator(caller) ? { status: 200 } : refused(caller))

/** Those who may create records. No source has sent anything. */
const toSenders = (caller: see.Caller): ExpectedAnswer =>
  see.isCreator(caller) ? { status: 404, code: 'external-id-not-found' } : refused(caller)

const toManagers =
  (least: Role) =>
  (caller: see.Caller): ExpectedAnswer =>
    ROLES.indexOf(caller as Role) >= ROLES.indexOf(least) ? { status: 404, code: 'record-not-found' } : refused(caller)

/**
 * Who reads what in the service's own namespace. Paths name user 5, who is the administrator, and picture 999, which
 * does not exist.
 */
const serviceReaders: Readonly<Record<string, (caller: see.Caller) => ExpectedAnswer>> = {
  getServiceIndex: toAll,
  getServiceDocument: toAll,
  listUsers: toAdministrators,
  getUser: toAdministrators,
  listKeys: toAdministrators,
  listSessions: toAdministrators,
  listSavedViews: (caller) => (see.isCreator(caller) ? { status: 200 } : refused(caller)),
  listAuditEntries: toAdministrators,
  listSettings: toAdministrators,
  listSubscriptions: toAdministrators,
  listImports: toCreators,
  // The series in these paths does not exist.
  getSeries: () => ({ status: 404, code: 'series-not-found' }),
  listSeriesDates: () => ({ status: 404, code: 'series-not-found' }),
  listChanges: toAll,
  listRpdeEvents: toAll,
  // A caller with a key and no session has not signed in.
  getSession: () => ({ status: 401, code: 'rest_forbidden' }),
  listMedia: (caller) => (see.isUploader(caller) ? { status: 200 } : refused(caller)),
  listMediaUsage: (caller) => (see.isUploader(caller) ? { status: 200 } : refused(caller)),
  listEventRows: toCreators,
  countEvents: toCreators,
  listEventHistory: (caller) => (see.isCreator(caller) ? { status: 404, code: 'record-not-found' } : refused(caller)),
  getEventSource: (caller) => (see.isCreator(caller) ? { status: 404, code: 'record-not-found' } : refused(caller)),
  getVenueSource: (caller) => (see.isCreator(caller) ? { status: 404, code: 'record-not-found' } : refused(caller)),
  getOrganizerSource: (caller) => (see.isCreator(caller) ? { status: 404, code: 'record-not-found' } : refused(caller)),
  getCategoryUsage: toManagers('author'),
  getTagUsage: toManagers('editor'),
  listVenueUsage: toCreators,
  listOrganizerUsage: toCreators,
  getSourceEvent: toSenders,
  getSourceVenue: toSenders,
  getSourceOrganizer: toSenders,
  getMedia: (caller) => (see.isUploader(caller) ? { status: 404, code: 'media-not-found' } : refused(caller)),
}
/** Entries about records contain earlier texts. The same administrator may read those, but not in other answers. */
const queries: Readonly<Record<string, string>> = { listAuditEntries: '?kind=user' }
const valuesInPaths: Readonly<Record<string, string>> = { user: '5', id: '999' }

/**
 * Every read of the service's own namespace, from its endpoints. A new endpoint is requested as well, and fails until
 * this table names its readers.
 */
const servicePaths: readonly ReadPath[] = service.routes.flatMap(({ path, endpoints }) =>
  endpoints
    .filter(({ methods }) => methods.includes('GET'))
    .map(({ operation }) => {
      const expect = serviceReaders[operation]
      if (!expect) throw new Error(`Say in serviceReaders who may read ${operation}.`)
      const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => valuesInPaths[name] ?? '1')
      const asked = `${filled}${queries[operation] ?? ''}`
      return { title: `${operation} of the service`, questions: () => [{ path: `//cal/service/v1${asked}`, expect }] }
    }),
)

/** Every way to read the contents of a calendar. */
export const READ_PATHS: readonly ReadPath[] = [
  ...eventPaths,
  ...directoryPaths,
  ...termPaths,
  ...addressPaths,
  ...methodPaths,
  ...servicePaths,
  ...sourcePaths,
  ...historyPaths,
  ...seriesPaths,
  ...feedPaths,
]
