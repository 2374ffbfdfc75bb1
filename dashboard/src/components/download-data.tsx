import { useMutation } from '@tanstack/react-query'
import { fetchAccountExport, saveFile } from '@/api/accountExport'
import { accountExportAddress } from '@/api/me'
import { Failure } from './failure'
import { Button } from './ui/button'

/** Downloads everything that is stored about the user. */
export function DownloadData() {
  const download = useMutation({
    mutationFn: fetchAccountExport,
    onSuccess: (file) => saveFile(file, 'my-data.json'),
  })
  return (
    <>
      <Button asChild variant="outline" className="max-sm:h-11">
        <a
          href={accountExportAddress}
          download
          aria-disabled={download.isPending}
          onClick={(event) => {
            event.preventDefault() // a download would not show why it failed
            if (!download.isPending) download.mutate()
          }}
        >
          {download.isPending ? 'Downloading...' : 'Download My Data'}
        </a>
      </Button>
      {download.isError && (
        <Failure error={download.error} fallback="Failed to download your data. Please try again." />
      )}
    </>
  )
}
