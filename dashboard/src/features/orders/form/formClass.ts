/** The size of the dialog with the request form. It is fixed, so that nothing moves when advice comes or the fold opens. */
export const formClass =
  'max-sm:h-[92dvh] sm:h-[min(45rem,88dvh)] sm:max-w-xl lg:h-[min(38rem,88dvh)] lg:max-w-[50.5rem]'
