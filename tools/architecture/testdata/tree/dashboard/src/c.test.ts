import './c'
