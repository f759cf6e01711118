/** The bundled library, for which the package has no types. */
declare module 'echarts/dist/echarts.esm.min' {
  export * from 'echarts';
}
