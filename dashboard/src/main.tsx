// In a build it runs after the first paint: scripts/ahead.ts keeps it in a template until then, and public/theme.js lets it out.
import '@/app/index.css'
import { start } from '@/app/start'

start()
