import { directoryPaths } from './directory.paths.ts'
import { eventPaths } from './event.paths.ts'
import { feedPaths } from './feed.paths.ts'
import type { ReadPath } from './question.ts'
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

const mediaPaths: readonly ReadPath[] = [
  {
    title: 'pictures',
    questions: () => [
      {
        path: '//cal/service/v1/media',
        expect: (caller) =>
          see.isUploader(caller)
            ? { status: 200 }
            : { status: caller === 'visitor' ? 401 : 403, code: 'rest_forbidden' },
      },
    ],
  },
]

const administrationPaths: readonly ReadPath[] = [
  {
    title: 'what administrators read',
    questions: () =>
      ['audit?kind=user', 'users', 'users/5/keys', 'users/5/sessions'].map((path) => ({
        path: `//cal/service/v1/${path}`,
        expect: (caller) =>
          caller === 'administrator'
            ? { status: 200 }
            : { status: caller === 'visitor' ? 401 : 403, code: 'rest_forbidden' },
      })),
  },
]

/** Every way to read the contents of a calendar. */
export const READ_PATHS: readonly ReadPath[] = [
  ...eventPaths,
  ...directoryPaths,
  ...termPaths,
  ...addressPaths,
  ...methodPaths,
  ...mediaPaths,
  ...administrationPaths,
  ...feedPaths,
]
