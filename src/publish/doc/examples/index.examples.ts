import type { ExamplesByOperation } from './example.ts'

export const indexExamples: ExamplesByOperation = {
  getIndex: {
    'one-route': { parameters: { _fields: ['namespace', 'routes./{vendorWord}/events/v1/doc'] } },
    'unknown-namespace': { parameters: { namespace: 'other/v1' }, problem: { code: 'rest_invalid_namespace' } },
  },
  getDocument: { 'version-only': { parameters: { _fields: ['openapi'] } } },
}
