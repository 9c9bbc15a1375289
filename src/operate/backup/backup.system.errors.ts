/** The reason why a file cannot be written, by system error code. */
const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'its disk is full',
  EDQUOT: 'the disk quota is exceeded',
  EFBIG: 'it would be larger than the file system allows',
  EIO: 'its disk reports an error',
  EROFS: 'its disk is read-only',
  EACCES: 'its folder is not writable',
  EPERM: 'its folder is not writable',
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'its folder does not exist',
  ENAMETOOLONG: 'its name is too long',
}

/** Returns the reason why the system cannot write a file; undefined for every other error. */
export function systemErrorReason(error: unknown): string | undefined {
  return error instanceof Error ? reasons[String((error as NodeJS.ErrnoException).code)] : undefined
}
