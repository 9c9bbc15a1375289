import assert from 'node:assert/strict'
import { type Attack, longestWaitMs, maxProcessorMs, maxWaitMs } from './target.ts'

const lines = { as: 'contributor', method: 'POST', path: '//cal/service/v1/sources/attack/import' } as const
const lineHeaders = { 'content-type': 'application/x-ndjson' }
const recording = { as: 'editor', method: 'POST', path: '//cal/service/v1/imports' } as const
const recordingHeaders = { 'content-type': 'application/json' }

/** Imports whose bodies have much that is useless. */
export const attacks: readonly Attack[] = [
  {
    title: 'a megabyte of line feeds in an import is cheap, also of a key that may only plan',
    play: async (target) => {
      const payload = Buffer.alloc(1024 * 1024, '\n')
      for (const path of [lines.path, `${lines.path}?dry_run=true`]) {
        const ms = await target.processorMs(async () => {
          const { text } = await target.send({ ...lines, path, payload, headers: lineHeaders })
          assert.match(text, /rest_request_too_large/)
        })
        assert.ok(ms < maxProcessorMs, `${Math.round(ms)} ms of the processor`)
      }
    },
  },
  {
    title: 'useless lines and recordings neither keep visitors waiting nor fill the memory',
    play: async (target) => {
      // The first one loads the library of schemas.
      await target.send({ ...recording, headers: recordingHeaders, payload: Buffer.from('{"venues":[1]}') })
      const before = await target.residentMegabytes()
      const useless = [
        { ...lines, headers: lineHeaders, payload: Buffer.from('x\n'.repeat(50_000)) },
        { ...recording, headers: recordingHeaders, payload: Buffer.from(`{"events":[${'{},'.repeat(5_000_000)}{}]}`) },
        { ...recording, headers: recordingHeaders, payload: Buffer.from(`{"venues":[${'1,'.repeat(9999)}1]}`) },
      ]
      for (const [place, sent] of useless.entries()) {
        const longest = await longestWaitMs(target, () => target.send(sent))
        assert.ok(longest < maxWaitMs, `${place}: a visitor waited ${Math.round(longest)} ms`)
      }
      const megabytes = (await target.residentMegabytes()) - before
      assert.ok(megabytes < 150, `${Math.round(megabytes)} MB more`)
    },
  },
]
