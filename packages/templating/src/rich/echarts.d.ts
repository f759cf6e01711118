/** The library in one file, of which its package says no types. */
declare module 'echarts/dist/echarts.esm.min' {
  export * from 'echarts';
}
